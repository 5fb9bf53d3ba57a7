import type { FormState, Values } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import type { Product } from '../api.ts'
import { unitOf } from '../scan/of-product.ts'
import { ScanLine } from '../scan/scan-line.tsx'
import { batchNamed } from '../shared/batches.ts'

type Fields = Values & { quantity: number | null; batch_id: string }

/** Each scan of the product is one unit more, of the batch that the code names. */
export function ScanUnits({ form, product }: { form: FormState<Fields>; product: Product }) {
  return (
    <ScanLine
      form={form}
      placeholder="Barcode or SKU"
      onScan={async (text) => {
        const { batch } = await unitOf(product, text)
        if (batch && product.tracking_type === 'batch')
          form.set('batch_id', String((await batchNamed(product, batch)).id))
        const quantity = (form.values.value.quantity ?? 0) + 1
        form.set('quantity', quantity)
        return counted(quantity, 'unit')
      }}
    />
  )
}
