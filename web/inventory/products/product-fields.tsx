import { useQuery } from '@tanstack/preact-query'
import { CheckField, NumberField, SelectField, TextareaField, TextField } from '#web/components/fields.tsx'
import type { FormState } from '#web/components/form-state.ts'
import type { Product, Schemas } from '../api.ts'
import { categoriesQuery } from './categories.ts'
import { trackingOptions } from './words.tsx'

/** Prices are typed as text, so that nothing is rounded. */
export type ProductValues = {
  name: string
  sku: string
  base_price: string
  cost_price: string
  compare_at_price: string
  barcode: string
  vendor: string
  category_id: string
  tracking_type: Product['tracking_type']
  weight: number | null
  description: string
  taxable: boolean
  requires_shipping: boolean
}

export const valuesOf = (product?: Product): ProductValues => ({
  name: product?.name ?? '',
  sku: product?.sku ?? '',
  base_price: product?.base_price ?? '',
  cost_price: product?.cost_price ?? '',
  compare_at_price: product?.compare_at_price ?? '',
  barcode: product?.barcode ?? '',
  vendor: product?.vendor ?? '',
  category_id: product?.category_id ? String(product.category_id) : '',
  tracking_type: product?.tracking_type ?? 'none',
  weight: product?.weight ?? null,
  description: product?.description ?? '',
  taxable: product?.taxable ?? true,
  requires_shipping: product?.requires_shipping ?? true,
})

const orNull = (text: string) => text.trim() || null
/** Some keyboards have a comma where the API wants a point. */
const price = (text: string) => text.trim().replace(',', '.')

export const bodyOf = (values: ProductValues): Schemas['ProductInput'] => ({
  ...values,
  base_price: price(values.base_price),
  cost_price: orNull(price(values.cost_price)),
  compare_at_price: orNull(price(values.compare_at_price)),
  barcode: orNull(values.barcode),
  vendor: orNull(values.vendor),
  description: orNull(values.description),
  category_id: values.category_id ? Number(values.category_id) : null,
})

export const categoryOptions = (categories: Schemas['Category'][] = []) => [
  { value: '', label: 'None' },
  ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
]

export function ProductFields({ form }: { form: FormState<ProductValues> }) {
  const { data: categories } = useQuery(categoriesQuery)
  return (
    <>
      <TextField form={form} name="name" label="Name" required />
      <div class="field-pair">
        <TextField form={form} name="sku" label="SKU" mono required />
        <TextField form={form} name="barcode" label="Barcode" mono inputMode="numeric" />
      </div>
      <div class="field-pair">
        <TextField form={form} name="base_price" label="Price" inputMode="decimal" required />
        <TextField form={form} name="cost_price" label="Cost" inputMode="decimal" />
      </div>
      <div class="field-pair">
        <SelectField form={form} name="category_id" label="Category" options={categoryOptions(categories)} />
        <SelectField
          form={form}
          name="tracking_type"
          label="Tracking"
          hint="Can only be changed while there is no stock."
          options={trackingOptions}
        />
      </div>
      <div class="field-pair">
        <TextField form={form} name="vendor" label="Vendor" />
        <NumberField form={form} name="weight" label="Weight" unit="kg" step="any" min={0} />
      </div>
      <TextareaField form={form} name="description" label="Description" rows={3} />
      <div class="field-pair">
        <CheckField form={form} name="taxable" label="Taxable" />
        <CheckField form={form} name="requires_shipping" label="Requires shipping" />
      </div>
    </>
  )
}
