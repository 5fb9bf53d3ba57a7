import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { Card, Facts } from '#web/components/card.tsx'
import { NumberField, SelectField, TextareaField, TextField } from '#web/components/fields.tsx'
import { When } from '#web/components/when.tsx'
import type { Product } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { none } from '../shared/none.tsx'
import { categoriesQuery } from './categories.ts'
import { InPlace } from './in-place.tsx'
import { categoryOptions, type ProductValues } from './product-fields.tsx'
import { trackingOptions } from './words.tsx'

/** What a product is, each value to be edited where it stands. */
export function Details({ product }: { product: Product }) {
  const { data: categories } = useQuery(categoriesQuery)
  const text = (
    name: keyof ProductValues,
    label: string,
    shown: ComponentChildren,
    more: { mono?: boolean; required?: boolean; inputMode?: 'decimal' | 'numeric' } = {},
  ): [string, ComponentChildren] => [
    label,
    <InPlace
      key={name}
      product={product}
      name={name}
      label={label}
      field={(form) => <TextField form={form} name={name} label={label} {...more} />}
    >
      {shown}
    </InPlace>,
  ]
  const code = (value: string | null) => (value ? <code>{value}</code> : none)
  return (
    <Card title="Details">
      <Facts
        items={[
          text('name', 'Name', product.name, { required: true }),
          text('sku', 'SKU', code(product.sku), { mono: true, required: true }),
          text('base_price', 'Price', amount(product.base_price), { inputMode: 'decimal', required: true }),
          text('cost_price', 'Cost', amount(product.cost_price), { inputMode: 'decimal' }),
          text('barcode', 'Barcode', code(product.barcode), { mono: true, inputMode: 'numeric' }),
          [
            'Category',
            <InPlace
              key="category"
              product={product}
              name="category_id"
              label="Category"
              field={(form) => (
                <SelectField
                  form={form}
                  name="category_id"
                  label="Category"
                  options={categoryOptions(categories)}
                />
              )}
            >
              {product.category_name ?? none}
            </InPlace>,
          ],
          text('vendor', 'Vendor', product.vendor ?? none),
          ['Tracking', trackingOptions.find(({ value }) => value === product.tracking_type)?.label],
          [
            'Weight',
            <InPlace
              key="weight"
              product={product}
              name="weight"
              label="Weight"
              field={(form) => (
                <NumberField form={form} name="weight" label="Weight" unit="kg" step="any" min={0} />
              )}
            >
              {product.weight === null
                ? none
                : `${product.weight.toLocaleString(undefined, { maximumFractionDigits: 3 })} kg`}
            </InPlace>,
          ],
          [
            'Description',
            <InPlace
              key="description"
              product={product}
              name="description"
              label="Description"
              field={(form) => <TextareaField form={form} name="description" label="Description" rows={3} />}
            >
              {product.description ?? none}
            </InPlace>,
          ],
          ['Added', <When key="added" at={product.created_at} />],
        ]}
      />
    </Card>
  )
}
