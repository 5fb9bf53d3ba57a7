import { useQueryClient } from '@tanstack/preact-query'
import { useRef, useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { count, counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type PurchaseOrder, type PurchaseOrderItem, type Schemas } from '../api.ts'
import { shownCode } from '../scan/codes.ts'
import { ScanLine } from '../scan/scan-line.tsx'
import { bodyOf, type Delivery, outstanding, scanned, wholeDelivery } from './delivery.ts'
import { ReceiveLine } from './receive-line.tsx'

type Received = Schemas['Received']
type Props = { order: PurchaseOrder; onClose: () => void }

/** What has arrived, and then which backorders it filled. */
export function ReceiveDialog({ order, onClose }: Props) {
  const [received, setReceived] = useState<Received | null>(null)
  return received ? (
    <Filled received={received} onClose={onClose} />
  ) : (
    <Receive order={order} onClose={onClose} onFilled={setReceived} />
  )
}

/** A scanner ends what it types with Enter, also in the field of a batch: that is no reason to receive everything. */
const toNextField = (event: KeyboardEvent) => {
  const { target, currentTarget } = event
  if (event.key !== 'Enter' || event.ctrlKey || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const fields = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input, textarea')]
  fields[fields.indexOf(target) + 1]?.focus()
}

const Receive = ({ order, onClose, onFilled }: Props & { onFilled: (received: Received) => void }) => {
  const queries = useQueryClient()
  const [open] = useState(() => order.items.filter((item) => outstanding(item) > 0))
  const lastScanned = useRef<PurchaseOrderItem>()
  return (
    <Dialog title="Receive" wide onClose={onClose}>
      <Form<{ items: Delivery }>
        initial={{ items: wholeDelivery(open) }}
        submit="Receive items"
        onCancel={onClose}
        onSubmit={async ({ items: delivery }, { idempotencyKey }) => {
          const items = bodyOf(delivery)
          if (items.length === 0) throw new Error('Enter how many units arrived.')
          const { data } = await api.POST('/api/suppliers/purchase-orders/{id}/receive', {
            params: { path: { id: order.id } },
            body: { items },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['purchasing'] })
          const units = items.reduce((sum, { quantity_received }) => sum + quantity_received, 0)
          toast(`${counted(units, 'unit')} of ${order.po_number} received`)
          if (data.backorders_filled > 0) onFilled(data)
          else onClose()
        }}
      >
        {(form) => {
          const { items: delivery } = form.values.value
          const set = (after: Delivery) => form.set('items', after)
          return (
            <>
              <ScanLine
                form={form}
                autofocus
                onScan={async (code) => {
                  const scan = scanned(form.values.value.items, code, open, lastScanned.current)
                  if (!scan) throw new Error(`Nothing to receive for “${shownCode(code)}”`)
                  lastScanned.current = scan.item
                  set(scan.delivery)
                  return scan.item.tracking_type === 'serial'
                    ? `Scan the serial numbers of ${scan.item.product_name}.`
                    : `${scan.item.product_name} scanned`
                }}
              />
              {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps Enter from sending the form too early */}
              <div class="ship-lines" onKeyDown={toNextField}>
                {open.map((item) => (
                  <ReceiveLine
                    key={item.id}
                    item={order.items.find(({ id }) => id === item.id) ?? item}
                    delivery={delivery}
                    form={form}
                    onChange={set}
                  />
                ))}
              </div>
            </>
          )
        }}
      </Form>
    </Dialog>
  )
}

const Filled = ({ received, onClose }: { received: Received; onClose: () => void }) => {
  const { backorders_filled, filled_backorders } = received
  const more = backorders_filled - filled_backorders.length
  return (
    <Dialog title="Backorders filled" onClose={onClose}>
      <p>What arrived is now reserved for {counted(backorders_filled, 'line')} that waited for it:</p>
      <ul class="plain-list">
        {filled_backorders.map((line) => (
          <li key={line.order_item_id}>
            <a href={`/console/orders/${line.order_id}`}>{line.order_number}</a>
            {`: ${count(line.quantity)} × ${line.product_name}`}
            {line.quantity_backordered > 0 && (
              <span class="quiet">, {count(line.quantity_backordered)} still backordered</span>
            )}
          </li>
        ))}
        {more > 0 && <li class="quiet">and {counted(more, 'more line')}</li>}
      </ul>
      <div class="form-actions">
        <Button kind="primary" autofocus onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
