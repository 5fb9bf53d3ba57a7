import { useQueries, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type Order, type OrderItem, type Product } from '../api.ts'
import { ScanLine } from '../scan/scan-line.tsx'
import { QuantityInput } from '../shared/line-input.tsx'
import { productQuery } from '../shared/products.ts'
import { BatchSelect } from './batch-select.tsx'
import {
  bodyOfShipment,
  initialShipment,
  type Shipment,
  unitScanned,
  withSerials,
  withUnit,
} from './shipment.ts'

type Values = { lines: Shipment }

const isToShip = (item: OrderItem) => item.quantity > item.quantity_fulfilled

/** What leaves the warehouse now: quantities, and which batch or serials where the product has them. */
export function ShipDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const queries = useQueryClient()
  // The lines that were open when it opened: what is typed stays, even if somebody else ships them meanwhile.
  const [ids] = useState(() => order.items.filter(isToShip).map(({ id }) => id))
  const open = order.items.filter(({ id }) => ids.includes(id))
  const products = useQueries({ queries: open.map(({ product_id }) => productQuery(product_id)) })
  const productOf = (item: OrderItem) => products[open.indexOf(item)]?.data
  /** A scanner may be faster than the connection. Without the product, a scan cannot be matched to a batch or serial. */
  const loadedLines = () =>
    Promise.all(
      open.map(async (item) => ({
        item,
        product: await queries.ensureQueryData(productQuery(item.product_id)),
      })),
    )
  return (
    <Dialog title="Ship" wide onClose={onClose}>
      <Form<Values>
        initial={{ lines: initialShipment(open) }}
        submit="Ship items"
        onCancel={onClose}
        onSubmit={async ({ lines }, { idempotencyKey }) => {
          const items = bodyOfShipment(lines)
          if (items.length === 0) throw new Error('Enter how many units leave.')
          const { data } = await api.POST('/api/orders/{id}/fulfill', {
            params: { path: { id: order.id } },
            body: { items },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['orders'] })
          toast(`${counted(data.fulfilled_items, 'line')} of ${order.order_number} shipped`)
          onClose()
        }}
      >
        {(form) => (
          <>
            <ScanLine
              form={form}
              autofocus
              onScan={async (text) => {
                const unit = await unitScanned(text, await loadedLines())
                const lines = withUnit(form.values.value.lines, unit)
                form.set('lines', lines)
                return `${unit.item.product_name}: ${lines[unit.item.id]?.quantity}`
              }}
            />
            <div class="ship-lines">
              {open.map((item) => (
                <ShipLine key={item.id} item={item} product={productOf(item)} order={order} form={form} />
              ))}
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}

type LineProps = { item: OrderItem; product: Product | undefined; order: Order; form: FormState<Values> }

const ShipLine = ({ item, product, order, form }: LineProps) => {
  const { lines } = form.values.value
  const line = lines[item.id]
  if (!line) return null
  const set = (change: Partial<typeof line>) =>
    form.set('lines', { ...lines, [item.id]: { ...line, ...change } })
  const still = item.quantity - item.quantity_fulfilled
  return (
    <fieldset class="ship-line">
      <legend>
        {item.product_name} <code class="quiet">{item.sku}</code>
      </legend>
      <p class="quiet">
        {counted(still, 'unit')} open, {item.quantity_reserved} reserved
        {item.quantity_backordered > 0 && `, ${item.quantity_backordered} backordered`}
      </p>
      <div class="ship-fields">
        <QuantityInput
          form={form}
          of={item.product_name}
          titled
          max={still}
          value={line.quantity}
          onChange={(quantity) => set({ quantity })}
        />
        {product?.tracking_type === 'batch' && (
          <BatchSelect
            product={product}
            warehouseId={order.warehouse_id}
            value={line.batch_id}
            onChange={(batch_id) => set({ batch_id })}
          />
        )}
        {product?.tracking_type === 'serial' && (
          <label class="field">
            <span>Serial numbers</span>
            <textarea
              rows={2}
              class="mono"
              aria-label={`Serial numbers of ${item.product_name}`}
              placeholder="The oldest in stock, if empty"
              value={line.serials}
              onInput={({ currentTarget: { value } }) => set(withSerials(line, value))}
            />
          </label>
        )}
      </div>
    </fieldset>
  )
}
