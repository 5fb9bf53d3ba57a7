import type { OrderItem, Product } from '../api.ts'
import { isCodeOf, readScan, shownCode } from '../scan/codes.ts'
import { findScanned, type Unit } from '../scan/find-scanned.ts'
import { batchNamed } from '../shared/batches.ts'
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

type Known = { item: OrderItem; product: Product | undefined }

/** A line leaves one batch at a time. */
const batchOf = async (line: ShipmentLine, product: Product, number: string) => {
  const batch = await batchNamed(product, number)
  if (line.isScanned && line.batch_id !== null && line.batch_id !== batch.id)
    throw new Error(`Ship the other batch of ${product.name} first: one leaves at a time`)
  return batch.id
}

const withUnit = async (lines: Shipment, { item, product }: Known, { batch, serial }: Unit) => {
  const line = lines[item.id] as ShipmentLine
  const set = (after: ShipmentLine): Shipment => ({ ...lines, [item.id]: after })
  if (serial && product?.tracking_type === 'serial')
    return set(withSerials(line, serialsIn(`${line.serials}\n${serial}`).join('\n')))
  if (batch && product?.tracking_type === 'batch')
    return set({ ...one(line), batch_id: await batchOf(line, product, batch) })
  return set(one(line))
}

/** The shipment after a scan, and the line that was scanned. */
export const scanned = async (lines: Shipment, text: string, known: Known[]) => {
  const scan = readScan(text)
  const fits = ({ item, product }: Known) =>
    isCodeOf({ barcode: product?.barcode ?? null, sku: item.sku }, scan.code)
  const found = known.some(fits) ? null : await findScanned(text)
  const of = known.find(fits) ?? known.find(({ item }) => item.product_id === found?.product.id)
  if (!of) throw new Error(`Nothing to ship for “${shownCode(text)}”`)
  return { lines: await withUnit(lines, of, found ?? scan), item: of.item }
}
