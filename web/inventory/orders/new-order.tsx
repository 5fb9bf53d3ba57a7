import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Customer, type OrderSummary, type Warehouse } from '../api.ts'
import { customerQuery } from '../shared/customers.ts'
import { useLineEntry } from '../shared/line-entry.ts'
import { type Line, priceOf } from '../shared/lines.ts'
import { CustomerPicker, ProductPicker } from '../shared/pickers.tsx'
import { warehousesQuery } from '../shared/warehouses.ts'
import { OrderLines } from './order-lines.tsx'
import { channelOptions } from './words.tsx'

type Draft = {
  customer: Pick<Customer, 'id' | 'name' | 'addresses'> | null
  warehouse_id: string
  channel: OrderSummary['channel']
  items: Line[]
}

const breadcrumb = [{ label: 'Orders', href: '/console/orders' }]

/** The address may say for whom: `?customer_id=77`. */
export function NewOrder() {
  const customerId = Number(useLocation().query.customer_id)
  const { data: warehouses, error, refetch } = useQuery(warehousesQuery)
  const customer = useQuery({ ...customerQuery(customerId), enabled: customerId > 0 })
  return (
    <Page title="New order" breadcrumb={breadcrumb}>
      {warehouses && !customer.isLoading ? (
        <OrderForm warehouses={warehouses} customer={customer.data ?? null} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Page>
  )
}

/** Goods go to the default shipping address of the customer, if there is one. */
const shippingAddressOf = (customer: Draft['customer']) => {
  const shipping = customer?.addresses.filter(({ type }) => type === 'shipping') ?? []
  const found = shipping.find(({ is_default }) => is_default) ?? shipping[0]
  if (!found) return {}
  const { line1, city, state, postcode, country } = found
  return { shipping_address: { line1, city, state, postcode, country } }
}

const bodyOf = ({ customer, warehouse_id, channel, items }: Draft) => ({
  customer_id: customer?.id ?? null,
  warehouse_id: Number(warehouse_id),
  channel,
  ...shippingAddressOf(customer),
  items: items.map((line) => ({
    product_id: line.product.id,
    quantity: line.quantity ?? 0,
    unit_price: priceOf(line),
  })),
})

const OrderForm = ({ warehouses, customer }: { warehouses: Warehouse[]; customer: Draft['customer'] }) => {
  const queries = useQueryClient()
  const { route } = useLocation()
  const entry = useLineEntry()
  const initial: Draft = {
    customer: customer && { id: customer.id, name: customer.name, addresses: customer.addresses },
    warehouse_id: String((warehouses.find(({ is_default }) => is_default) ?? warehouses[0])?.id ?? ''),
    channel: 'manual',
    items: [],
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what the button does
    <div class="order-form" ref={entry.frame} onKeyDown={entry.onKey}>
      <Form
        initial={initial}
        submit="Create order"
        onCancel={() => route('/console/orders')}
        after={
          <span class="quiet shortcut-hint" aria-hidden="true">
            Ctrl Enter
          </span>
        }
        onSubmit={async (values, { idempotencyKey }) => {
          if (values.items.length === 0) throw new Error('Add at least one product.')
          const { data } = await api.POST('/api/orders', {
            body: bodyOf(values),
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['orders'] })
          toast(`Order ${data.order_number} created`)
          route(`/console/orders/${data.id}`)
        }}
      >
        {(form) => (
          <>
            <div class="order-head">
              <CustomerPicker
                form={form}
                autofocus
                value={form.values.value.customer?.name ?? ''}
                hint="Optional."
                onEmpty={entry.toProduct}
                onPick={({ id, name, addresses }) => {
                  form.set('customer', { id, name, addresses })
                  entry.toProduct()
                }}
              />
              <SelectField
                form={form}
                name="warehouse_id"
                label="Warehouse"
                options={warehouses.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
              <SelectField form={form} name="channel" label="Channel" options={channelOptions} />
            </div>
            <ProductPicker
              form={form}
              hint="Type a name or SKU, or scan a barcode; Enter adds it."
              inputRef={entry.productRef}
              onPick={(product, { isScan }) => {
                form.set('items', entry.add(form.values.value.items, product, product.base_price, isScan))
                return isScan ? `${product.name} added` : undefined
              }}
            />
            <OrderLines
              form={form}
              lines={form.values.value.items}
              warehouseId={Number(form.values.value.warehouse_id)}
              onChange={(items) => form.set('items', items)}
              onDone={entry.toProduct}
            />
          </>
        )}
      </Form>
    </div>
  )
}
