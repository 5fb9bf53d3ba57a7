import { useQuery } from '@tanstack/preact-query'
import { History } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import type { Product, Schemas } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { movementsQuery } from '../stock/queries.ts'
import { MovementNotes, movementName, Signed } from '../stock/words.tsx'

const columns: Column<Schemas['Movement']>[] = [
  { key: 'when', title: 'When', cell: (movement) => <When at={movement.created_at} /> },
  { key: 'kind', title: 'Kind', width: '9rem', cell: (movement) => movementName(movement.movement_type) },
  {
    key: 'quantity',
    title: 'Quantity',
    align: 'end',
    width: '7rem',
    cell: ({ quantity }) => <Signed n={quantity} />,
  },
  { key: 'warehouse', title: 'Warehouse', width: '12rem', cell: (movement) => movement.warehouse_name },
  { key: 'notes', title: 'Notes', minor: true, cell: (movement) => <MovementNotes {...movement} /> },
  {
    key: 'by',
    title: 'By',
    minor: true,
    cell: (movement) => movement.created_by_name ?? <span class="quiet">–</span>,
  },
]

export function ProductMovements({ product }: { product: Product }) {
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    movementsQuery({ product_id: product.id, page, limit }),
  )
  return (
    <DataTable
      label="Movements"
      columns={columns}
      rows={data?.movements}
      rowKey={({ id }) => String(id)}
      rowName={({ id }) => `movement ${id}`}
      loading={isPlaceholderData}
      error={error}
      retry={refetch}
      paging={pagingOf(data?.total)}
      empty={
        <Empty
          icon={History}
          title="No movements yet"
          text="Whatever changes the stock of this product is listed here."
        />
      }
    />
  )
}
