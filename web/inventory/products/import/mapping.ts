/** The fields that a column may become, as the API names them, and as people do. */
export const fields = {
  sku: 'SKU',
  name: 'Name',
  base_price: 'Price',
  cost_price: 'Cost',
  compare_at_price: 'Compare-at price',
  barcode: 'Barcode',
  vendor: 'Vendor',
  category_name: 'Category',
  tracking_type: 'Tracking',
  weight: 'Weight',
  taxable: 'Taxable',
  requires_shipping: 'Requires shipping',
  is_active: 'Active',
  description: 'Description',
}
export type Field = keyof typeof fields
export type Mapping = (Field | '')[]

const otherNames: Record<string, Field> = {
  artikelnummer: 'sku',
  itemnumber: 'sku',
  articlenumber: 'sku',
  title: 'name',
  productname: 'name',
  product: 'name',
  saleprice: 'base_price',
  unitprice: 'base_price',
  costprice: 'cost_price',
  unitcost: 'cost_price',
  ean: 'barcode',
  upc: 'barcode',
  gtin: 'barcode',
  brand: 'vendor',
  active: 'is_active',
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

const fieldOf = (heading: string): Field | '' => {
  const name = plain(heading)
  const known = (Object.keys(fields) as Field[]).find(
    (field) => plain(field) === name || plain(fields[field]) === name,
  )
  return known ?? otherNames[name] ?? ''
}

/** What the columns of a file probably mean; each field once. */
export const guessMapping = (headings: string[]): Mapping => {
  const taken = new Set<string>()
  return headings.map((heading) => {
    const field = fieldOf(heading)
    if (!field || taken.has(field)) return ''
    taken.add(field)
    return field
  })
}

/** Why a mapping cannot be used, if it cannot. */
export const mappingProblem = (mapping: Mapping) => {
  if (!mapping.includes('sku')) return 'Choose the column that is the SKU: products are recognised by it.'
  const twice = mapping.find((field, n) => field && mapping.indexOf(field) !== n)
  return twice ? `${fields[twice as Field]} is chosen twice.` : null
}

/** A row for the API: only the columns that mean something. */
export const mapRow = (cells: string[], mapping: Mapping) =>
  mapping.flatMap((field, n) => (field ? [cells[n] ?? ''] : []))
