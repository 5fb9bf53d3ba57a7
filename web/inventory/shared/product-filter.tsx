import { useQuery } from '@tanstack/preact-query'
import { X } from 'lucide-preact'
import { IconButton } from '#web/components/button.tsx'
import { ProductPicker } from './pickers.tsx'
import { productQuery } from './products.ts'

/** A filter of a list by one of many products. */
export function ProductFilter(props: {
  value: number | undefined
  onChange: (id: number | null) => unknown
}) {
  const { value, onChange } = props
  const { data } = useQuery({ ...productQuery(value ?? 0), enabled: value !== undefined })
  return (
    <div class={value === undefined ? 'product-filter' : 'product-filter on'}>
      <ProductPicker
        placeholder="All products"
        value={value === undefined ? '' : (data?.name ?? '…')}
        onPick={({ id }) => onChange(id)}
      />
      {value !== undefined && <IconButton label="All products" icon={X} onClick={() => onChange(null)} />}
    </div>
  )
}
