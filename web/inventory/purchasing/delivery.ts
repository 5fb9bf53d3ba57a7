import type { PurchaseOrderItem } from '../api.ts'
import { isCodeOf, readScan } from '../scan/codes.ts'
import { isGtin } from '../scan/gs1.ts'
import { serialsIn } from '../shared/serials.ts'

/** What arrived of a line. A line has several of these if its units belong to several batches. */
export type Arrival = {
  key: number
  item_id: number
  quantity: number | null
  batch_number: string
  expiry_date: string
  /** One in each line of the text. */
  serials: string
  /** Whether units have been scanned: the first scan counts from nothing. */
  isScanned: boolean
}
export type Delivery = Arrival[]

export const outstanding = ({ quantity, quantity_received }: PurchaseOrderItem) =>
  quantity - quantity_received

const arrival = (delivery: Delivery, item_id: number, more: Partial<Arrival> = {}): Arrival => ({
  key: 1 + Math.max(-1, ...delivery.map(({ key }) => key)),
  item_id,
  quantity: null,
  batch_number: '',
  expiry_date: '',
  serials: '',
  isScanned: false,
  ...more,
})

/** At first everything that was ordered and is not there yet. */
export const wholeDelivery = (items: PurchaseOrderItem[]): Delivery =>
  items.map((item, key) => arrival([], item.id, { key, quantity: outstanding(item) }))

/** Serial numbers that are named decide the quantity. */
export const withSerials = (text: string): Partial<Arrival> => {
  const { length } = serialsIn(text)
  return { serials: text, ...(length > 0 ? { quantity: length } : {}) }
}

export const change = (delivery: Delivery, key: number, more: Partial<Arrival>): Delivery =>
  delivery.map((one) => (one.key === key ? { ...one, ...more } : one))

/** One more batch of a line, behind those that it has. */
export const addArrival = (delivery: Delivery, item_id: number, more: Partial<Arrival> = {}): Delivery => {
  const last = delivery.findLastIndex((one) => one.item_id === item_id)
  return delivery.toSpliced(last + 1, 0, arrival(delivery, item_id, more))
}

const isSent = ({ quantity }: Arrival) => quantity !== null && quantity !== 0

/** The place of an arrival in what is sent, by which the API says what is wrong with it. */
export const placeOf = (delivery: Delivery, { key }: Arrival) => {
  const at = delivery.filter(isSent).findIndex((one) => one.key === key)
  return at < 0 ? undefined : `items[${at}]`
}

export const bodyOf = (delivery: Delivery) =>
  delivery.filter(isSent).map((one) => ({
    purchase_order_item_id: one.item_id,
    quantity_received: one.quantity ?? 0,
    ...(one.batch_number.trim() ? { batch_number: one.batch_number.trim() } : {}),
    ...(one.expiry_date ? { expiry_date: one.expiry_date } : {}),
    ...(serialsIn(one.serials).length > 0 ? { serials: serialsIn(one.serials) } : {}),
  }))

const oneMore = ({ quantity, isScanned }: Arrival) => ({
  isScanned: true,
  quantity: isScanned ? (quantity ?? 0) + 1 : 1,
})

const addSerial = (delivery: Delivery, at: Arrival, serial: string): Delivery => {
  const known = serialsIn(at.serials)
  if (known.includes(serial)) return delivery
  return change(delivery, at.key, withSerials([...known, serial].join('\n')))
}

type Scan = {
  delivery: Delivery
  /** The line that was scanned: serial numbers that come next belong to it. */
  item: PurchaseOrderItem
}

const addScanned = (
  delivery: Delivery,
  item: PurchaseOrderItem,
  { batch, expiry, serial }: { batch?: string; expiry?: string; serial?: string },
): Delivery => {
  const arrivals = delivery.filter(({ item_id }) => item_id === item.id)
  const last = arrivals.at(-1)
  if (!last) return delivery
  if (item.tracking_type === 'serial') return serial ? addSerial(delivery, last, serial) : delivery
  if (item.tracking_type !== 'batch' || !batch) return change(delivery, last.key, oneMore(last))
  const details = { batch_number: batch, ...(expiry ? { expiry_date: expiry } : {}) }
  const same = arrivals.find(({ batch_number }) => batch_number === batch)
  const free = arrivals.find(({ batch_number, isScanned }) => batch_number === '' && !isScanned)
  const into = same ?? free
  if (into) return change(delivery, into.key, { ...details, ...oneMore(into) })
  return addArrival(delivery, item.id, { ...details, quantity: 1, isScanned: true })
}

/**
 * The delivery after a scan, or null if the code belongs to none of its lines. A code of GS1 says batch, expiry and
 * serial number as well; any other code is a product, or a serial number of the product that was scanned before.
 */
export const scanned = (
  delivery: Delivery,
  code: string,
  items: PurchaseOrderItem[],
  before?: PurchaseOrderItem,
): Scan | null => {
  const scan = readScan(code)
  const item = items.find((one) => isCodeOf(one, scan.code))
  if (item) return { delivery: addScanned(delivery, item, scan), item }
  const owner = before ?? (items.length === 1 ? items[0] : undefined)
  if (owner?.tracking_type !== 'serial' || isGtin(scan.code)) return null
  return { delivery: addScanned(delivery, owner, { serial: scan.serial ?? scan.code }), item: owner }
}
