import type { FormState } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { api, type Customer, type Product, type Supplier } from '../api.ts'
import { isCodeOf, readScan } from '../scan/codes.ts'
import { findSerial, type Scanned } from '../scan/find-scanned.ts'
import { amount } from './amounts.ts'
import { type Choice, Picker } from './picker.tsx'

type Common = {
  form?: Pick<FormState, 'include'>
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

type Found = Scanned & {
  /** The text is the code of the product: its barcode, its SKU, or one of its serial numbers. */
  isExact: boolean
}

/** `isScan`: it came from a scanner, so that the next thing to come is another scan. */
type How = Omit<Found, 'product'> & { isScan: boolean }

const choiceOf = (found: Found, isBlind = false): Choice<Found> => {
  const { product, batch, serial, isExact } = found
  const stock = isBlind ? [] : [amount(product.base_price), stockOf(product)]
  const unit = [batch && `batch ${batch}`, serial && `serial ${serial}`].filter(Boolean).join(', ')
  const about = [product.sku, ...stock, unit].filter(Boolean)
  return { key: String(product.id), item: found, label: product.name, detail: about.join(' · '), isExact }
}

/** By name, SKU, barcode or GS1 code, and by the serial number of a unit. */
const findProducts = async (text: string, signal: AbortSignal, isCounting?: boolean) => {
  const { code, ...unit } = readScan(text)
  const [{ data }, serial] = await Promise.all([
    api.GET('/api/products', {
      params: { query: { search: code || text, active: isCounting ? undefined : true, limit: most } },
      signal,
    }),
    code ? findSerial(code, { signal }) : null,
  ])
  const found = data.products.map((product) => {
    const isExact = isCodeOf(product, code)
    return { product, ...(isExact ? unit : {}), isExact }
  })
  // A code that fits exactly is what was meant, whatever else contains it.
  found.sort((a, b) => Number(b.isExact) - Number(a.isExact))
  if (!serial || found[0]?.isExact) return found.map((one) => choiceOf(one, isCounting))
  const others = found.filter(({ product }) => product.id !== serial.product.id)
  return [{ ...unit, ...serial, isExact: true }, ...others].map((one) => choiceOf(one, isCounting))
}

type ProductPickerProps = Common & {
  onPick: (product: Product, how: How) => unknown
  /** For counting: also what is not sold any more, and nobody may see how much there should be. */
  isCounting?: boolean
}

/** A product by its name or any of its codes, with its stock while one types. */
export function ProductPicker({ label = 'Product', onPick, isCounting, ...props }: ProductPickerProps) {
  return (
    <Picker
      label={label}
      placeholder="Name, SKU or barcode"
      scans
      search={(text, signal) => findProducts(text, signal, isCounting)}
      onPick={({ item: { product, ...how } }, text, isScan) => {
        // Nobody types a barcode or a serial number, however slow the scanner is.
        const isNoWord = how.isExact && product.sku.toLowerCase() !== text.toLowerCase()
        return onPick(product, { ...how, isScan: isScan || isNoWord })
      }}
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
