import { useQuery } from '@tanstack/preact-query'
import { ClipboardList, PackageCheck, ReceiptText, Undo2, X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { useSession } from '#web/frame/session.ts'
import { api, type Order, type OrderStatus } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { useMove } from '../shared/use-move.ts'
import { warehousesQuery } from '../shared/warehouses.ts'
import { LinesCard } from './lines-card.tsx'
import { orderQuery } from './queries.ts'
import { ReturnDialog } from './return-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'
import { Timeline } from './timeline.tsx'
import { canReturn, channelName, isOpen, nextSteps, StatusBadge } from './words.tsx'

const breadcrumb = [{ label: 'Orders', href: '/console/orders' }]

const openUnits = ({ items }: Order) =>
  items.reduce((sum, { quantity, quantity_fulfilled }) => sum + quantity - quantity_fulfilled, 0)
const returnableUnits = ({ items }: Order) =>
  items.reduce(
    (sum, { quantity_fulfilled, quantity_returned }) => sum + quantity_fulfilled - quantity_returned,
    0,
  )

const askToCancel = ({ order_number, items }: Order) => {
  const shipped = items.some(({ quantity_fulfilled }) => quantity_fulfilled > 0)
  return confirm({
    title: `Cancel ${order_number}?`,
    text: `Its reserved stock becomes available to other orders${
      shipped ? ', and what was shipped is put back into stock' : ''
    }. A cancelled order cannot be reopened.`,
    verb: 'Cancel order',
    danger: true,
  })
}

export function OrderPage({ params }: ScreenProps) {
  const id = Number(params.orderId)
  const { data: order, error, refetch } = useQuery(orderQuery(id))
  if (!order) return <PendingPage title="Order" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return <OrderDetail order={order} />
}

const OrderDetail = ({ order }: { order: Order }) => {
  const { can } = useSession()
  const { data: warehouses } = useQuery(warehousesQuery)
  const [open, setOpen] = useState<'ship' | 'return' | null>(null)
  const { move, buttonTo } = useMove<OrderStatus>(['orders'])
  const { id, status, order_number } = order

  const moveTo = (to: OrderStatus) =>
    move(to, async () => {
      await api.PATCH('/api/orders/{id}/status', { params: { path: { id } }, body: { status: to } })
      toast(`${order_number} is ${to}`)
    }).catch(toastError)
  const cancel = async () => {
    if (await askToCancel(order)) await moveTo('cancelled')
  }
  const isShippable = isOpen(status) && openUnits(order) > 0 && can('order.ship')

  return (
    <Page
      title={order_number}
      breadcrumb={breadcrumb}
      text={<StatusBadge status={status} />}
      actions={
        <>
          <LinkButton icon={ReceiptText} href={`/console/orders/${id}/packing-slip`}>
            Packing slip
          </LinkButton>
          {isOpen(status) && (
            <LinkButton icon={ClipboardList} href={`/console/orders/${id}/pick-list`}>
              Pick list
            </LinkButton>
          )}
          {canReturn(status) && returnableUnits(order) > 0 && can('order.return') && (
            <Button icon={Undo2} onClick={() => setOpen('return')}>
              Return
            </Button>
          )}
          {isOpen(status) && (
            <Button icon={X} {...buttonTo('cancelled')} onClick={cancel}>
              Cancel
            </Button>
          )}
          {nextSteps[status].map(({ to, label }) => (
            <Button key={to} {...buttonTo(to)} onClick={() => moveTo(to)}>
              {label}
            </Button>
          ))}
          {isShippable && (
            <Button kind="primary" icon={PackageCheck} onClick={() => setOpen('ship')}>
              Ship
            </Button>
          )}
        </>
      }
    >
      <LinesCard order={order} />
      <div class="columns">
        <Card title="Details">
          <Facts
            items={[
              ['Customer', <CustomerLink key="customer" order={order} />],
              ['Ship to', addressOf(order)],
              ['Warehouse', warehouses?.find((one) => one.id === order.warehouse_id)?.name ?? '…'],
              ['Channel', channelName(order.channel)],
              ['Total', amount(order.total_amount)],
              ['Placed', <When key="placed" at={order.created_at} />],
            ]}
          />
        </Card>
        <Timeline orderId={id} />
      </div>
      {open === 'ship' && <ShipDialog order={order} onClose={() => setOpen(null)} />}
      {open === 'return' && <ReturnDialog order={order} onClose={() => setOpen(null)} />}
    </Page>
  )
}

const CustomerLink = ({ order: { customer_id, customer_name } }: { order: Order }) =>
  customer_id === null ? (
    <span class="quiet">No customer</span>
  ) : (
    <a href={`/console/customers/${customer_id}`}>{customer_name}</a>
  )

const addressOf = ({ shipping_address: at }: Order) =>
  [at?.line1, [at?.postcode, at?.city].filter(Boolean).join(' '), at?.state, at?.country]
    .filter(Boolean)
    .join(', ') || <span class="quiet">No address</span>
