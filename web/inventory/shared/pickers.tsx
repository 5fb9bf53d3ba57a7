import { counted } from '#web/components/format.ts'
import { api, type Customer, type Product, type Supplier } from '../api.ts'
import { amount } from './amounts.ts'
import { type Choice, Picker } from './picker.tsx'

type Common = {
  label?: string
  hint?: string
  value?: string
  error?: string | undefined
  autofocus?: boolean
  placeholder?: string
  inputRef?: (input: HTMLInputElement | null) => unknown
  onEmpty?: () => unknown
}

const most = 8

const stockOf = ({ available, incoming }: Product) =>
  available > 0
    ? `${counted(available, 'unit')} available`
    : incoming > 0
      ? `Out of stock, ${incoming} on the way`
      : 'Out of stock'

const isCode = ({ barcode, sku }: Product, text: string) =>
  barcode === text || sku.toLowerCase() === text.toLowerCase()

const findProducts = async (text: string, signal: AbortSignal): Promise<Choice<Product>[]> => {
  const { data } = await api.GET('/api/products', {
    params: { query: { search: text, active: true, limit: most } },
    signal,
  })
  // A code that fits exactly is what was meant, whatever else contains it.
  const products = [...data.products].sort((a, b) => Number(isCode(b, text)) - Number(isCode(a, text)))
  return products.map((product) => ({
    key: String(product.id),
    item: product,
    label: product.name,
    detail: `${product.sku} · ${amount(product.base_price)} · ${stockOf(product)}`,
  }))
}

type ProductPickerProps = Common & {
  /** `isScan`: the text was the barcode, so that the next thing to come is another scan. */
  onPick: (product: Product, how: { isScan: boolean }) => unknown
}

/** A product by its name, SKU or barcode, with its stock while one types. */
export function ProductPicker({ label = 'Product', onPick, ...props }: ProductPickerProps) {
  return (
    <Picker
      label={label}
      placeholder="Name, SKU or barcode"
      search={findProducts}
      onPick={({ item }, text) => onPick(item, { isScan: item.barcode === text })}
      {...props}
    />
  )
}

const findCustomers = async (text: string, signal: AbortSignal): Promise<Choice<Customer>[]> => {
  const { data } = await api.GET('/api/customers', {
    params: { query: { search: text, limit: most } },
    signal,
  })
  return data.customers.map((customer) => ({
    key: String(customer.id),
    item: customer,
    label: customer.name,
    detail: [customer.company, customer.email].filter(Boolean).join(' · '),
  }))
}

export function CustomerPicker({
  label = 'Customer',
  onPick,
  ...props
}: Common & { onPick: (customer: Customer) => unknown }) {
  return (
    <Picker
      label={label}
      placeholder="Name, company or email"
      search={findCustomers}
      onPick={({ item }) => onPick(item)}
      {...props}
    />
  )
}

const findSuppliers = async (text: string, signal: AbortSignal): Promise<Choice<Supplier>[]> => {
  const { data } = await api.GET('/api/suppliers', {
    params: { query: { search: text, sort: 'name', limit: most } },
    signal,
  })
  return data.suppliers.map((supplier) => ({
    key: String(supplier.id),
    item: supplier,
    label: supplier.name,
    detail: supplier.lead_time_days === null ? '' : `Delivers in ${counted(supplier.lead_time_days, 'day')}`,
  }))
}

export function SupplierPicker({
  label = 'Supplier',
  onPick,
  ...props
}: Common & { onPick: (supplier: Supplier) => unknown }) {
  return (
    <Picker
      label={label}
      placeholder="Name or email"
      search={findSuppliers}
      onPick={({ item }) => onPick(item)}
      {...props}
    />
  )
}
