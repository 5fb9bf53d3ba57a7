import { useEffect, useRef } from 'preact/hooks'
import type { FormState, Values } from '#web/components/form-state.ts'
import type { Product } from '../api.ts'
import type { Unit } from '../scan/find-scanned.ts'
import { ProductPicker } from './pickers.tsx'

type Props<V extends Values> = {
  form: FormState<V>
  /** How its units must be tracked. */
  tracking: 'batch' | 'serial'
  /** What the code of a unit says beside its product. */
  onUnit: (unit: Unit) => unknown
}

const name = 'product_id'
const label = 'Product'
const wrong = {
  batch: 'is not tracked by batch. Its tracking can be changed while it has no stock.',
  serial: 'is not tracked by serial number. Its tracking can be changed while it has no stock.',
}

/** The product of a form whose value `product_id` is the product itself. */
export function ProductField<V extends Values & { product_id: Product | null }>({
  form,
  tracking,
  onUnit,
}: Props<V>) {
  const input = useRef<HTMLInputElement | null>(null)
  useEffect(() => form.register({ name, label, required: true, focus: () => input.current?.focus() }), [form])
  return (
    <ProductPicker
      form={form}
      label={label}
      value={form.values.value.product_id?.name ?? ''}
      error={form.errorOf(name)}
      inputRef={(element) => {
        input.current = element
      }}
      onPick={(product, { batch, expiry, serial }) => {
        const fits = product.tracking_type === tracking
        form.set(name, (fits ? product : null) as V['product_id'])
        if (fits) onUnit({ batch, expiry, serial })
        else form.errors.value = [{ field: name, message: `${product.name} ${wrong[tracking]}` }]
      }}
    />
  )
}
