import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Product } from '../api.ts'
import { maxQuantity } from '../shared/amounts.ts'
import { ProductField } from '../shared/product-field.tsx'
import { stockKeys } from '../shared/stock-keys.ts'
import { WarehouseField } from '../shared/warehouse-field.tsx'
import { BatchFields, type BatchValues, bodyOf, valuesOf } from './batch-fields.tsx'

type Values = BatchValues & { product_id: Product | null; quantity: number | null; warehouse_id: string }

export function NewBatch({ product, onClose }: { product?: Product | undefined; onClose: () => void }) {
  const queries = useQueryClient()
  const { route } = useLocation()
  return (
    <Dialog title="New batch" wide onClose={onClose}>
      <Form<Values>
        initial={{ ...valuesOf(), product_id: product ?? null, quantity: null, warehouse_id: '' }}
        submit="Create batch"
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const { data } = await api.POST('/api/batches', {
            body: {
              ...bodyOf(values),
              product_id: (values.product_id as Product).id,
              quantity: values.quantity ?? 0,
              warehouse_id: Number(values.warehouse_id) || null,
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
          onClose()
          toast(`Batch ${data.batch_number} created`)
          route(`/console/tracking/batches/${data.id}`)
        }}
      >
        {(form) => (
          <>
            {!product && (
              <ProductField
                form={form}
                tracking="batch"
                onUnit={({ batch, expiry }) => {
                  if (batch) form.set('batch_number', batch)
                  if (expiry) form.set('expiry_date', expiry)
                }}
              />
            )}
            <BatchFields form={form} />
            <div class="field-pair">
              <NumberField
                form={form}
                name="quantity"
                label="Quantity"
                min={0}
                max={maxQuantity}
                hint="Is added to the stock of the warehouse."
              />
              <WarehouseField form={form} />
            </div>
          </>
        )}
      </Form>
    </Dialog>
  )
}
