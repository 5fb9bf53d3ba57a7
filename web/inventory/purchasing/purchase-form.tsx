import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { DateField, SelectField, TextareaField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Product, type Supplier, type Warehouse } from '../api.ts'
import { dayFromNow } from '../shared/days.ts'
import { useLineEntry } from '../shared/line-entry.ts'
import { type Line, priceOf } from '../shared/lines.ts'
import { ProductPicker } from '../shared/pickers.tsx'
import { PurchaseLines } from './purchase-lines.tsx'
import { SupplierField } from './supplier-field.tsx'

type Draft = {
  supplier_id: number | null
  warehouse_id: string
  expected_date: string
  notes: string
  items: Line[]
}

const costOf = ({ cost_price }: Product) => cost_price ?? '0.00'
const expectedFrom = (supplier: Supplier | undefined) =>
  typeof supplier?.lead_time_days === 'number' ? dayFromNow(supplier.lead_time_days) : ''

const bodyOf = ({ supplier_id, warehouse_id, expected_date, notes, items }: Draft) => ({
  supplier_id: supplier_id ?? 0,
  warehouse_id: Number(warehouse_id),
  expected_date: expected_date || null,
  notes: notes.trim() || null,
  items: items.map((line) => ({
    product_id: line.product.id,
    quantity: line.quantity ?? 0,
    unit_cost: priceOf(line),
  })),
})

type FormProps = { warehouses: Warehouse[]; supplier: Supplier | undefined; products: Product[] }

export function PurchaseForm({ warehouses, supplier, products }: FormProps) {
  const queries = useQueryClient()
  const { route } = useLocation()
  const entry = useLineEntry()
  const initial: Draft = {
    supplier_id: supplier?.id ?? null,
    warehouse_id: String((warehouses.find(({ is_default }) => is_default) ?? warehouses[0])?.id ?? ''),
    expected_date: expectedFrom(supplier),
    notes: '',
    items: products.map((product) => ({ product, quantity: 1, unit_price: costOf(product) })),
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what the button does
    <div class="order-form" ref={entry.frame} onKeyDown={entry.onKey}>
      <Form
        initial={initial}
        submit="Create purchase order"
        onCancel={() => route('/console/purchasing')}
        after={
          <span class="quiet shortcut-hint" aria-hidden="true">
            Ctrl Enter
          </span>
        }
        onSubmit={async (values, { idempotencyKey }) => {
          if (values.items.length === 0) throw new Error('Add at least one product.')
          const { data } = await api.POST('/api/suppliers/purchase-orders', {
            body: bodyOf(values),
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['purchasing'] })
          toast(`Purchase order ${data.po_number} created`)
          route(`/console/purchasing/${data.id}`)
        }}
      >
        {(form) => (
          <>
            <div class="order-head">
              <SupplierField
                form={form}
                name="supplier_id"
                label="Supplier"
                initial={supplier}
                required
                onPick={(picked) => {
                  if (form.values.value.expected_date === '') form.set('expected_date', expectedFrom(picked))
                  entry.toProduct()
                }}
              />
              <SelectField
                form={form}
                name="warehouse_id"
                label="Warehouse"
                options={warehouses.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
              <DateField form={form} name="expected_date" label="Expected date" />
            </div>
            <ProductPicker
              form={form}
              hint="Type a name or SKU, or scan a barcode; Enter adds it."
              autofocus={supplier !== undefined}
              inputRef={entry.productRef}
              onPick={(product, { isScan }) => {
                form.set('items', entry.add(form.values.value.items, product, costOf(product), isScan))
                return isScan ? `${product.name} added` : undefined
              }}
            />
            <PurchaseLines
              form={form}
              lines={form.values.value.items}
              warehouseId={Number(form.values.value.warehouse_id)}
              onChange={(items) => form.set('items', items)}
              onDone={entry.toProduct}
            />
            <TextareaField form={form} name="notes" label="Notes" rows={2} hint="Printed on the order." />
          </>
        )}
      </Form>
    </div>
  )
}
