import { api, type Product } from '../api.ts'
import { isCodeOf, readScan, type Scan } from './codes.ts'

/** Which unit of a product it is, as far as its code says. */
export type Unit = Omit<Scan, 'code'>
export type Scanned = Unit & { product: Product }

const most = 10

type Options = { signal?: AbortSignal; active?: boolean | undefined }

const findProduct = async (search: string, { signal, active }: Options) => {
  const { data } = await api.GET('/api/products', {
    params: { query: { search, active, limit: most } },
    signal,
  })
  return data.products.find((product) => isCodeOf(product, search))
}

/** A unit whose serial number is known. */
export const findSerial = async (number: string, { signal }: Options): Promise<Scanned | null> => {
  const { data } = await api.GET('/api/serials', {
    params: { query: { search: number, limit: most } },
    signal,
  })
  const serial = data.serials.find(({ serial_number }) => serial_number === number)
  if (!serial) return null
  const product = await api.GET('/api/products/{id}', {
    params: { path: { id: serial.product_id } },
    signal,
  })
  return { product: product.data, serial: number }
}

/** By barcode, SKU or GS1 code, or by a serial number that is known. Null if nothing has this code. */
export const findScanned = async (text: string, options: Options = {}): Promise<Scanned | null> => {
  const { code, ...unit } = readScan(text)
  if (!code) return null
  const product = await findProduct(code, options)
  if (product) return { product, ...unit }
  const found = await findSerial(code, options)
  return found && { ...unit, ...found }
}
