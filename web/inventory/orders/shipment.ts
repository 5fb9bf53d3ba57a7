import type { OrderItem, Product } from '../api.ts'
import { isCodeOf, readScan, shownCode } from '../scan/codes.ts'
import { findScanned } from '../scan/find-scanned.ts'
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

/** A unit that was scanned: its line, and its batch or serial number where the product has them. */
type Unit = { item: OrderItem; batch_id?: number; serial?: string }

/** Which unit a scan means. Refuses the code of a product that is not in `lines`. */
export const unitScanned = async (
  text: string,
  lines: { item: OrderItem; product: Product }[],
): Promise<Unit> => {
  const scan = readScan(text)
  const named = lines.find(({ item, product: { barcode } }) =>
    isCodeOf({ barcode, sku: item.sku }, scan.code),
  )
  const found = named ? null : await findScanned(text)
  const line = named ?? lines.find(({ item }) => item.product_id === found?.product.id)
  if (!line) throw new Error(`Nothing to ship for “${shownCode(text)}”`)
  const { item, product } = line
  const { batch, serial } = found ?? scan
  if (serial && product.tracking_type === 'serial') return { item, serial }
  if (batch && product.tracking_type === 'batch')
    return { item, batch_id: (await batchNamed(product, batch)).id }
  return { item }
}

/** Adds a unit to its line. */
export const withUnit = (lines: Shipment, { item, batch_id, serial }: Unit): Shipment => {
  const line = lines[item.id] as ShipmentLine
  const set = (after: ShipmentLine): Shipment => ({ ...lines, [item.id]: after })
  if (serial) return set(withSerials(line, serialsIn(`${line.serials}\n${serial}`).join('\n')))
  if (batch_id === undefined) return set(one(line))
  if (line.isScanned && line.batch_id !== null && line.batch_id !== batch_id)
    throw new Error(`Ship the other batch of ${item.product_name} first: one leaves at a time`)
  return set({ ...one(line), batch_id })
}
