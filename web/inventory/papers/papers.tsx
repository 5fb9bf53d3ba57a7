import { useQueryParams } from '#web/components/query-state.ts'
import type { ScreenProps } from '#web/frame/console.ts'
import { api, type Paper } from '../api.ts'
import { PaperPage } from './paper-page.tsx'
import { packingSlipQuery, pickListQuery, purchaseOrderPaperQuery } from './queries.ts'

const orders = { label: 'Orders', href: '/console/orders' }

const orderBreadcrumb = (orderId: string) => (paper?: Paper) => [
  orders,
  ...(paper ? [{ label: paper.number, href: `/console/orders/${orderId}` }] : []),
]

export function PackingSlip({ params: { orderId = '' } }: ScreenProps) {
  const path = { id: Number(orderId) }
  return (
    <PaperPage
      title="Packing slip"
      query={packingSlipQuery(path.id)}
      breadcrumbOf={orderBreadcrumb(orderId)}
      pdf={(size) =>
        api.GET('/api/orders/{id}/packing-slip.pdf', { params: { path, query: { size } }, parseAs: 'blob' })
      }
    />
  )
}

/** Of one order. */
export function PickList({ params: { orderId = '' } }: ScreenProps) {
  return <PickPaper ids={orderId} breadcrumbOf={orderBreadcrumb(orderId)} />
}

/** Of the orders that the address names. */
export function PickListOfOrders() {
  const [{ order_ids = '' }] = useQueryParams()
  return <PickPaper ids={order_ids} breadcrumbOf={() => [orders]} />
}

const PickPaper = (props: { ids: string; breadcrumbOf: ReturnType<typeof orderBreadcrumb> }) => (
  <PaperPage
    title="Pick list"
    query={pickListQuery(props.ids)}
    breadcrumbOf={props.breadcrumbOf}
    pdf={(size) =>
      api.GET('/api/orders/pick-list.pdf', {
        params: { query: { size, order_ids: props.ids } },
        parseAs: 'blob',
      })
    }
  />
)

export function PurchaseOrderPaper({ params: { id = '' } }: ScreenProps) {
  const path = { id: Number(id) }
  return (
    <PaperPage
      title="Purchase order"
      query={purchaseOrderPaperQuery(path.id)}
      breadcrumbOf={(paper) => [
        { label: 'Purchasing', href: '/console/purchasing' },
        ...(paper ? [{ label: paper.number, href: `/console/purchasing/${id}` }] : []),
      ]}
      pdf={(size) =>
        api.GET('/api/suppliers/purchase-orders/{id}/purchase-order.pdf', {
          params: { path, query: { size } },
          parseAs: 'blob',
        })
      }
    />
  )
}
