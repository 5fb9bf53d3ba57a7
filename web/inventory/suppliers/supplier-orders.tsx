import { useQuery } from '@tanstack/preact-query'
import { Truck } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import { purchaseColumns } from '../purchasing/purchase-orders.tsx'
import { purchaseOrdersQuery } from '../purchasing/queries.ts'
import { useListPages } from '../shared/list-pages.ts'

const columns = purchaseColumns.filter(({ key }) => key !== 'supplier')

export function SupplierOrders({ supplierId }: { supplierId: number }) {
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    purchaseOrdersQuery({ supplier_id: supplierId, page, limit }),
  )
  return (
    <section class="part">
      <h2>Purchase orders</h2>
      <DataTable
        label="Purchase orders"
        columns={columns}
        rows={data?.purchase_orders}
        rowKey={({ id }) => String(id)}
        rowName={({ po_number }) => po_number}
        hrefOf={({ id }) => `/console/purchasing/${id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        empty={
          <Empty
            icon={Truck}
            title="No purchase orders yet"
            text="Whatever you order from this supplier is listed here."
          />
        }
      />
    </section>
  )
}
