import { useQuery } from '@tanstack/preact-query'
import { FileText, PackageCheck, Send, X } from 'lucide-preact'
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
import { api, type PurchaseOrder } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { day } from '../shared/days.ts'
import { none } from '../shared/none.tsx'
import { useMove } from '../shared/use-move.ts'
import { warehousesQuery } from '../shared/warehouses.ts'
import { LinesCard } from './lines-card.tsx'
import { purchaseOrderQuery } from './queries.ts'
import { ReceiveDialog } from './receive-dialog.tsx'
import { isOpen, StatusBadge } from './words.tsx'

const breadcrumb = [{ label: 'Purchasing', href: '/console/purchasing' }]

const askToCancel = ({ po_number, status }: PurchaseOrder) =>
  confirm({
    title: `Cancel ${po_number}?`,
    text: `Nothing more is expected of it${
      status === 'partial' ? '; what has arrived stays in stock' : ''
    }. A cancelled purchase order cannot be reopened.`,
    verb: 'Cancel purchase order',
    danger: true,
  })

export function PurchaseOrderPage({ params }: ScreenProps) {
  const { data: order, error, refetch } = useQuery(purchaseOrderQuery(Number(params.purchaseOrderId)))
  if (!order)
    return <PendingPage title="Purchase order" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return <PurchaseOrderDetail order={order} />
}

const PurchaseOrderDetail = ({ order }: { order: PurchaseOrder }) => {
  const { can } = useSession()
  const { data: warehouses } = useQuery(warehousesQuery)
  const [isReceiving, setReceiving] = useState(false)
  const { move, buttonTo } = useMove<'ordered' | 'cancelled'>(['purchasing'])
  const { id, status, po_number } = order
  const isChangeable = isOpen(status) && can('purchase.write')

  const moveTo = (to: 'ordered' | 'cancelled') =>
    move(to, async () => {
      await api.PATCH('/api/suppliers/purchase-orders/{id}/status', {
        params: { path: { id } },
        body: { status: to },
      })
      toast(`${po_number} is ${to}`)
    }).catch(toastError)
  const cancel = async () => {
    if (await askToCancel(order)) await moveTo('cancelled')
  }

  return (
    <Page
      title={po_number}
      breadcrumb={breadcrumb}
      text={<StatusBadge status={status} />}
      actions={
        <>
          <LinkButton icon={FileText} href={`/console/purchasing/${id}/paper`}>
            Purchase order
          </LinkButton>
          {isChangeable && (
            <>
              <Button icon={X} {...buttonTo('cancelled')} onClick={cancel}>
                Cancel
              </Button>
              {status === 'draft' && (
                <Button kind="primary" icon={Send} {...buttonTo('ordered')} onClick={() => moveTo('ordered')}>
                  Mark as ordered
                </Button>
              )}
              <Button
                kind={status === 'draft' ? 'plain' : 'primary'}
                icon={PackageCheck}
                onClick={() => setReceiving(true)}
              >
                Receive
              </Button>
            </>
          )}
        </>
      }
    >
      <LinesCard order={order} />
      <div class="columns">
        <Card title="Details">
          <Facts
            items={[
              ['Supplier', <SupplierLink key="supplier" order={order} />],
              ['Warehouse', warehouses?.find((one) => one.id === order.warehouse_id)?.name ?? '…'],
              ['Expected', order.expected_date ? day(order.expected_date) : none],
              ['Total', amount(order.total_amount)],
              ['Created', <When key="created" at={order.created_at} />],
              ['Notes', order.notes || none],
            ]}
          />
        </Card>
      </div>
      {isReceiving && <ReceiveDialog order={order} onClose={() => setReceiving(false)} />}
    </Page>
  )
}

const SupplierLink = ({ order: { supplier_id, supplier_name } }: { order: PurchaseOrder }) => (
  <a href={`/console/suppliers/${supplier_id}`}>{supplier_name}</a>
)
