import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Drawer } from '#web/components/dialog.tsx'
import { count } from '#web/components/format.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import type { Schemas, StockRow } from '../api.ts'
import { ledgerQuery } from './queries.ts'
import { MovementNotes, movementName, Signed } from './words.tsx'

type Entry = Schemas['LedgerEntry']

/** What a movement belongs to: an order, a purchase order, a count, or what somebody wrote. */
const Reference = ({ entry }: { entry: Entry }) => {
  if (entry.order_number) return <a href={`/console/orders/${entry.reference_id}`}>{entry.order_number}</a>
  if (entry.po_number)
    return (
      <>
        <a href={`/console/purchasing/${entry.reference_id}`}>{entry.po_number}</a>
        {entry.batch_number && `, Batch ${entry.batch_number}`}
      </>
    )
  const text = [entry.batch_number && `Batch ${entry.batch_number}`, entry.notes].filter(Boolean).join(', ')
  return <MovementNotes {...entry} notes={text || null} />
}

const columns: Column<Entry>[] = [
  { key: 'when', title: 'When', cell: (entry) => <When at={entry.created_at} /> },
  { key: 'kind', title: 'Kind', cell: (entry) => movementName(entry.movement_type) },
  { key: 'reference', title: 'Reference', cell: (entry) => <Reference entry={entry} /> },
  {
    key: 'by',
    title: 'By',
    minor: true,
    cell: (entry) => entry.created_by_name ?? <span class="quiet">–</span>,
  },
  { key: 'quantity', title: 'Change', align: 'end', cell: ({ quantity }) => <Signed n={quantity} /> },
  { key: 'balance', title: 'Balance', align: 'end', cell: ({ balance }) => count(balance) },
]

const limit = 50

/** The movements that add up to a quantity, the latest first, with the balance after each. */
export function Why({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    ledgerQuery(row.product_id, row.warehouse_id, { page, limit }),
  )
  return (
    <Drawer title={`Why ${count(data?.quantity ?? row.quantity)}?`} wide onClose={onClose}>
      <p>
        These movements of <strong>{row.product_name}</strong> in {row.warehouse_name} add up to{' '}
        <strong>{count(data?.quantity ?? row.quantity)}</strong> on hand.
      </p>
      <DataTable
        label="Movements"
        columns={columns}
        rows={data?.movements}
        rowKey={({ id }) => String(id)}
        rowName={({ id }) => `movement ${id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={{
          kind: 'pages',
          page,
          pageCount: Math.max(1, Math.ceil((data?.total ?? 0) / limit)),
          total: data?.total ?? 0,
          size: limit,
          onPage: setPage,
        }}
        empty={<Empty title="No movements" text="Nothing has come or gone yet." />}
      />
    </Drawer>
  )
}
