import { api, type OrderItem, type Product } from '../api.ts'
import { serialsIn } from '../shared/serials.ts'

/** What is entered for a line: `serials` one in each line of the text. */
export type ShipmentLine = {
  quantity: number | null
  batch_id: number | null
  serials: string
  /** Whether units have been scanned: the first scan counts from nothing. */
  isScanned: boolean
}
export type Shipment = Record<number, ShipmentLine>

/** At first everything that is reserved. */
export const initialShipment = (items: OrderItem[]): Shipment =>
  Object.fromEntries(
    items.map(({ id, quantity_reserved }) => [
      id,
      { quantity: quantity_reserved, batch_id: null, serials: '', isScanned: false },
    ]),
  )

/** Serial numbers that are named decide the quantity. */
export const withSerials = (line: ShipmentLine, text: string): ShipmentLine => {
  const { length } = serialsIn(text)
  return { ...line, serials: text, quantity: length > 0 ? length : line.quantity }
}

export const bodyOfShipment = (lines: Shipment) =>
  Object.entries(lines)
    .filter(([, { quantity }]) => quantity !== 0)
    .map(([id, { quantity, batch_id, serials }]) => ({
      order_item_id: Number(id),
      quantity_fulfilled: quantity ?? 0,
      ...(batch_id === null ? {} : { batch_id }),
      ...(serialsIn(serials).length > 0 ? { serials: serialsIn(serials) } : {}),
    }))
    .filter(({ quantity_fulfilled }) => quantity_fulfilled !== 0)

const one = (line: ShipmentLine): ShipmentLine => ({
  ...line,
  isScanned: true,
  quantity: line.isScanned ? (line.quantity ?? 0) + 1 : 1,
})

const findSerial = async (text: string) => {
  const { data } = await api.GET('/api/serials', { params: { query: { search: text, limit: 10 } } })
  return data.serials.find(({ serial_number }) => serial_number === text)
}

type Known = { item: OrderItem; product: Product | undefined }

/** The shipment after a scan, or null if the code belongs to none of its lines. */
export const scanned = async (lines: Shipment, code: string, known: Known[]): Promise<Shipment | null> => {
  const product = known.find(({ item, product }) => product?.barcode === code || item.sku === code)
  const line = product && lines[product.item.id]
  if (product && line) return { ...lines, [product.item.id]: one(line) }
  const serial = await findSerial(code)
  const of = known.find(({ item }) => item.product_id === serial?.product_id)
  const serialLine = of && lines[of.item.id]
  if (!of || !serialLine) return null
  const text = serialsIn(`${serialLine.serials}\n${code}`).join('\n')
  return { ...lines, [of.item.id]: withSerials(serialLine, text) }
}
