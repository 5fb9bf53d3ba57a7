import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type Product } from '../api.ts'
import { ProductField } from '../shared/product-field.tsx'
import { serialRefusals, serialsIn, withSerial } from '../shared/serials.ts'
import { SerialsField } from '../shared/serials-field.tsx'
import { stockKeys } from '../shared/stock-keys.ts'
import { WarehouseField } from '../shared/warehouse-field.tsx'

type Values = { product_id: Product | null; warehouse_id: string; serials: string; notes: string }

/** Units that come into stock by their numbers, all of them or none. */
export function AddSerials({ product, onClose }: { product?: Product | undefined; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Add serials" wide onClose={onClose}>
      <Form<Values>
        initial={{ product_id: product ?? null, warehouse_id: '', serials: '', notes: '' }}
        submit="Add serials"
        onCancel={onClose}
        fieldOfCode={serialRefusals}
        onSubmit={async ({ product_id, warehouse_id, serials, notes }, { idempotencyKey }) => {
          const { data } = await api.POST('/api/serials/bulk', {
            body: {
              product_id: (product_id as Product).id,
              warehouse_id: Number(warehouse_id) || null,
              serials: serialsIn(serials),
              notes: notes.trim() || null,
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
          onClose()
          toast(`${counted(data.count, 'unit')} of ${(product_id as Product).name} added`)
        }}
      >
        {(form) => (
          <>
            <div class="field-pair">
              {!product && (
                <ProductField
                  form={form}
                  tracking="serial"
                  onUnit={({ serial }) =>
                    serial && form.set('serials', withSerial(form.values.value.serials, serial))
                  }
                />
              )}
              <WarehouseField form={form} />
            </div>
            <SerialsField form={form} />
            <TextField form={form} name="notes" label="Notes" />
          </>
        )}
      </Form>
    </Dialog>
  )
}
