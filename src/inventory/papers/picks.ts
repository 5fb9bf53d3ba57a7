import type { Order } from '../orders/schema.ts'

type Pick = { sku: string; name: string; units: number; wanted: string[] }

/** The units that are reserved for some orders, by product, and which order each is for. */
export const picksOf = (orders: readonly Order[]): Pick[] => {
  const picks = new Map<number, Pick>()
  for (const { order_number, items } of orders)
    for (const { product_id, sku, product_name, quantity_reserved } of items) {
      if (quantity_reserved === 0) continue
      const pick = picks.get(product_id) ?? { sku, name: product_name, units: 0, wanted: [] }
      pick.units += quantity_reserved
      pick.wanted.push(`${order_number} (${quantity_reserved})`)
      picks.set(product_id, pick)
    }
  return [...picks.values()].sort((a, b) => (a.sku < b.sku ? -1 : 1))
}
