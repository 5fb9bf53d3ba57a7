import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField, SelectField, TextareaField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type StockRow } from '../api.ts'
import { productQuery } from '../products/queries.ts'
import { serialsIn } from '../scan/codes.ts'
import { unitOf } from '../scan/of-product.ts'
import { ScanLine } from '../scan/scan-line.tsx'
import { BatchSelect, batchNamed } from '../shared/batch-select.tsx'
import { warehousesQuery } from '../shared/warehouses.ts'

const initial = {
  to_warehouse_id: '',
  quantity: null as number | null,
  batch_id: null as number | null,
  serials: '',
}

/** Serial numbers that are named decide the quantity. */
const unitsOf = ({ quantity, serials }: typeof initial) => serialsIn(serials).length || (quantity ?? 0)

export function Transfer({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const queries = useQueryClient()
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const { data: product } = useQuery(productQuery(row.product_id))
  const others = warehouses.filter(({ id }) => id !== row.warehouse_id)
  return (
    <Dialog title="Transfer" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong>: {count(row.available)} available in {row.warehouse_name}.
      </p>
      <Form
        initial={initial}
        submit="Transfer stock"
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const { to_warehouse_id, batch_id, serials } = values
          await api.POST('/api/inventory/transfer', {
            body: {
              product_id: row.product_id,
              from_warehouse_id: row.warehouse_id,
              to_warehouse_id: Number(to_warehouse_id),
              quantity: unitsOf(values),
              batch_id,
              ...(serialsIn(serials).length > 0 ? { serials: serialsIn(serials) } : {}),
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['stock'] })
          await queries.invalidateQueries({ queryKey: ['products'] })
          onClose()
          const to = others.find(({ id }) => String(id) === to_warehouse_id)
          toast(`${count(unitsOf(values))} × ${row.product_name} moved to ${to?.name}`)
        }}
      >
        {(form) => (
          <>
            {product && (
              <ScanLine
                onScan={async (text) => {
                  const { batch, serial } = await unitOf(product, text)
                  const { quantity, serials } = form.values.value
                  if (batch) form.set('batch_id', (await batchNamed(product, batch)).id)
                  if (serial && product.tracking_type === 'serial')
                    form.set('serials', serialsIn(`${serials}\n${serial}`).join('\n'))
                  else form.set('quantity', (quantity ?? 0) + 1)
                  return ''
                }}
              />
            )}
            <SelectField
              form={form}
              name="to_warehouse_id"
              label="To warehouse"
              options={[
                { value: '', label: others.length > 0 ? 'Choose…' : 'There is no other warehouse' },
                ...others.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              required
            />
            {product?.tracking_type === 'serial' ? (
              <TextareaField form={form} name="serials" label="Serial numbers" rows={3} mono required />
            ) : (
              <NumberField
                form={form}
                name="quantity"
                label="Quantity"
                min={1}
                max={row.available}
                required
              />
            )}
            {product?.tracking_type === 'batch' && (
              <BatchSelect
                product={product}
                warehouseId={row.warehouse_id}
                value={form.values.value.batch_id}
                onChange={(batch_id) => form.set('batch_id', batch_id)}
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  )
}
