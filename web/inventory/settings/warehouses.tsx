import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { latest } from '#web/components/latest.ts'
import type { MenuItem } from '#web/components/menu.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Warehouse } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { Units } from '../shared/units.tsx'
import { warehousesQuery } from '../shared/warehouses.ts'
import { WarehouseDialog } from './warehouse-dialog.tsx'

const placeOf = ({ address, city, state }: Warehouse) => [address, city, state].filter(Boolean).join(', ')

const columns: Column<Warehouse>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'code', title: 'Code', width: '8rem', cell: ({ code }) => <code>{code}</code> },
  { key: 'place', title: 'Address', minor: true, cell: (one) => placeOf(one) || <span class="quiet">–</span> },
  { key: 'skus', title: 'Products', align: 'end', width: '7rem', cell: ({ total_skus }) => <Units n={total_skus} /> },
  { key: 'value', title: 'Value', align: 'end', width: '9rem', cell: ({ total_value }) => amount(total_value) },
  { key: 'default', title: 'Status', width: '7rem', cell: ({ is_default }) => is_default && <Badge tone="accent">Default</Badge> },
] // biome-ignore format: a table

/** Where stock is kept. Each leads to what it holds. */
export function Warehouses() {
  const { data, error, refetch } = useQuery(warehousesQuery)
  const queries = useQueryClient()
  const { can } = useSession()
  const [open, setOpen] = useState<{ warehouse?: Warehouse } | null>(null)

  const setDefault = async ({ id }: Warehouse) => {
    await api.PATCH('/api/warehouses/{id}', { params: { path: { id } }, body: { is_default: true } })
    await queries.invalidateQueries({ queryKey: ['warehouses'] })
  }
  const makeDefault = async (warehouse: Warehouse) => {
    const before = data?.find(({ is_default }) => is_default)
    try {
      await setDefault(warehouse)
      toast(`${warehouse.name} is the default`, before ? { undo: () => setDefault(before) } : {})
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (warehouse: Warehouse): MenuItem[] => [
    { label: 'Edit', onSelect: () => setOpen({ warehouse }) },
    ...(warehouse.is_default ? [] : [{ label: 'Make default', onSelect: () => makeDefault(warehouse) }]),
  ]
  return (
    <>
      <DataTable
        label="Warehouses"
        columns={columns}
        rows={data}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/stock?warehouse=${id}`}
        {...(can('warehouse.write') ? { actions } : {})}
        error={error}
        retry={refetch}
        toolbar={
          can('warehouse.write') && (
            <Button kind="primary" icon={Plus} onClick={() => setOpen({})}>
              New warehouse
            </Button>
          )
        }
      />
      {open && (
        <WarehouseDialog
          warehouse={open.warehouse && latest(open.warehouse, data)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
