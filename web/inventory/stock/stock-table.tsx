import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Paging } from '#web/components/table-types.ts'
import { useSession } from '#web/frame/session.ts'
import type { StockRow } from '../api.ts'
import { Units } from '../shared/units.tsx'
import { Adjust } from './adjust.tsx'
import { ReorderLevel } from './reorder-level.tsx'
import { Transfer } from './transfer.tsx'
import { Why } from './why.tsx'
import { StockState } from './words.tsx'

type Open = { what: 'why' | 'adjust' | 'transfer' | 'level'; row: StockRow }

type Props = {
  /** Whether a row is called after its product or after its warehouse. */
  of: 'product' | 'warehouse'
  rows: StockRow[] | undefined
  loading: boolean
  error: unknown
  retry: () => unknown
  paging?: Paging
  filtered?: boolean
  onClear?: () => unknown
  toolbar?: ComponentChildren
  empty?: ComponentChildren
}

const panels = { why: Why, adjust: Adjust, transfer: Transfer, level: ReorderLevel }

const keyOf = ({ product_id, warehouse_id }: StockRow) => `${product_id}-${warehouse_id}`

/** One row for each product and warehouse, with what one does to it. */
export function StockTable({ of, ...props }: Props) {
  const { can } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const Panel = open && panels[open.what]
  const latest = (row: StockRow) => props.rows?.find((one) => keyOf(one) === keyOf(row)) ?? row
  const columns: Column<StockRow>[] = [
    ...(of === 'product'
      ? [
          { key: 'product', title: 'Product', cell: (row: StockRow) => row.product_name },
          { key: 'sku', title: 'SKU', width: '8rem', cell: ({ sku }: StockRow) => <code>{sku}</code> },
        ]
      : []),
    { key: 'warehouse', title: 'Warehouse', cell: (row) => row.warehouse_name },
    {
      key: 'quantity',
      title: 'On hand',
      align: 'end',
      width: '8rem',
      cell: (row) => (
        <>
          <button class="why" type="button" onClick={() => setOpen({ what: 'why', row })}>
            Why?
          </button>{' '}
          <Units n={row.quantity} />
        </>
      ),
    },
    units('reserved_quantity', 'Reserved'),
    units('available', 'Available'),
    units('incoming', 'Incoming'),
    units('reorder_level', 'Reorder level'),
    { key: 'state', title: 'Status', width: '6rem', cell: (row) => <StockState {...row} /> },
  ]
  return (
    <>
      <DataTable
        label="Stock"
        columns={columns}
        rowKey={keyOf}
        rowName={(row) =>
          of === 'product' ? `${row.product_name}, ${row.warehouse_name}` : row.warehouse_name
        }
        {...(of === 'product'
          ? { hrefOf: (row: StockRow) => `/console/products/${row.product_id}/stock` }
          : {})}
        {...(can('stock.write')
          ? {
              actions: (row: StockRow) => [
                { label: 'Adjust', onSelect: () => setOpen({ what: 'adjust', row }) },
                { label: 'Transfer', onSelect: () => setOpen({ what: 'transfer', row }) },
                { label: 'Reorder level', onSelect: () => setOpen({ what: 'level', row }) },
              ],
            }
          : {})}
        {...props}
      />
      {open && Panel && <Panel row={latest(open.row)} onClose={() => setOpen(null)} />}
    </>
  )
}

const units = (
  key: 'reserved_quantity' | 'available' | 'incoming' | 'reorder_level',
  title: string,
): Column<StockRow> => ({
  key,
  title,
  align: 'end',
  width: '6rem',
  cell: (row) => <Units n={row[key]} />,
})
