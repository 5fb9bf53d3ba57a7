import { useQuery } from '@tanstack/preact-query'
import { ShoppingCart } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import { orderColumns, orderHref } from '../orders/orders.tsx'
import { ordersQuery } from '../orders/queries.ts'
import { useListPages } from '../shared/list-pages.ts'

const columns = orderColumns.filter(({ key }) => key !== 'customer')

export function CustomerOrders({ customerId }: { customerId: number }) {
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    ordersQuery({ customer_id: customerId, page, limit }),
  )
  return (
    <section class="part">
      <h2>Orders</h2>
      <DataTable
        label="Orders"
        columns={columns}
        rows={data?.orders}
        rowKey={({ id }) => String(id)}
        rowName={({ order_number }) => order_number}
        hrefOf={orderHref}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        empty={
          <Empty
            icon={ShoppingCart}
            title="No orders yet"
            text="Whatever this customer orders is listed here."
          />
        }
      />
    </section>
  )
}
