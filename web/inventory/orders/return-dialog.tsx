import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type Order, type OrderItem } from '../api.ts'
import { QuantityInput } from '../shared/line-input.tsx'

type Values = { quantities: Record<number, number | null>; reason: string }

const isWithCustomer = (item: OrderItem) => item.quantity_fulfilled > item.quantity_returned

/** What came back from the customer: it goes into stock again. */
export function ReturnDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const queries = useQueryClient()
  // The lines that could come back when it opened, whatever somebody else takes back meanwhile.
  const [ids] = useState(() => order.items.filter(isWithCustomer).map(({ id }) => id))
  const shipped = order.items.filter(({ id }) => ids.includes(id))
  return (
    <Dialog title="Return" wide onClose={onClose}>
      <Form<Values>
        initial={{ quantities: {}, reason: '' }}
        submit="Return items"
        onCancel={onClose}
        onSubmit={async ({ quantities, reason }, { idempotencyKey }) => {
          const items = Object.entries(quantities)
            .filter(([, quantity]) => quantity !== null && quantity !== 0)
            .map(([id, quantity]) => ({
              order_item_id: Number(id),
              quantity: Number(quantity),
              ...(reason.trim() ? { reason: reason.trim() } : {}),
            }))
          if (items.length === 0) throw new Error('Enter how many units came back.')
          const { data } = await api.POST('/api/orders/{id}/returns', {
            params: { path: { id: order.id } },
            body: { items },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['orders'] })
          toast(`${counted(data.returned_items, 'line')} of ${order.order_number} returned`)
          onClose()
        }}
      >
        {(form) => (
          <>
            {shipped.map((item) => {
              const most = item.quantity_fulfilled - item.quantity_returned
              return (
                <fieldset key={item.id} class="ship-line">
                  <legend>
                    {item.product_name} <code class="quiet">{item.sku}</code>
                  </legend>
                  <p class="quiet">{counted(most, 'unit')} with the customer</p>
                  <QuantityInput
                    form={form}
                    of={item.product_name}
                    titled
                    max={most}
                    value={form.values.value.quantities[item.id] ?? null}
                    onChange={(quantity) =>
                      form.set('quantities', { ...form.values.value.quantities, [item.id]: quantity })
                    }
                  />
                </fieldset>
              )
            })}
            <TextField form={form} name="reason" label="Reason" />
          </>
        )}
      </Form>
    </Dialog>
  )
}
