/** What the contract says, in the plainest code: maps, loops, and one queue of orders. */

type Tracking = 'none' | 'batch' | 'serial'
export type Product = { id: number; tracking: Tracking }
type Unit = {
  id: number
  number: string
  product: number
  warehouse: number
  status: string
  line: Line | null
}
/** Units of one line by batch ('' is without one), and when each was last touched. */
type Taken = Map<string, { units: number; last: number }>
export type Line = {
  id: number
  product: Product
  quantity: number
  price: number
  reserved: number
  waiting: number
  fulfilled: number
  returned: number
  taken: Taken
}
export type Placed = { id: number; warehouse: number; status: string; lines: Line[] }
export type Row = { quantity: number; reserved: number; batches: Map<string, number> }

/** In the order in which they expire: the first already has, the last never does. */
export const batchNames = ['expired', 'soon', 'later', 'never']
export const open = ['pending', 'paid', 'fulfilling']
export const next: Record<string, string[]> = {
  pending: ['paid', 'fulfilling', 'cancelled'],
  paid: ['fulfilling', 'cancelled'],
  fulfilling: ['fulfilled', 'cancelled'],
  fulfilled: ['shipped'],
  shipped: [],
  cancelled: [],
}
export const serialMoves: Record<string, string[]> = {
  in_stock: ['reserved', 'scrapped'],
  reserved: ['in_stock', 'sold'],
  sold: ['returned'],
  returned: ['in_stock', 'scrapped'],
  scrapped: [],
}

export const createModel = () => {
  const rows = new Map<string, Row>()
  const orders: Placed[] = []
  const units: Unit[] = []
  let moment = 0

  const row = (product: number, warehouse: number) => {
    const key = `${product}/${warehouse}`
    if (!rows.has(key)) rows.set(key, { quantity: 0, reserved: 0, batches: new Map() })
    return rows.get(key) as Row
  }
  const fill = (product: number, warehouse: number) => {
    const r = row(product, warehouse)
    for (const order of orders.filter((o) => o.warehouse === warehouse))
      for (const line of order.lines.filter((l) => l.product.id === product)) {
        const given = Math.min(line.waiting, r.quantity - r.reserved)
        line.waiting -= given
        line.reserved += given
        r.reserved += given
      }
  }
  const unbatched = (r: Row) => r.quantity - [...r.batches.values()].reduce((sum, n) => sum + n, 0)
  const onHand = (r: Row, batch: string) => (batch === '' ? unbatched(r) : (r.batches.get(batch) ?? 0))
  const change = (r: Row, batch: string, by: number) => {
    r.quantity += by
    if (batch !== '') r.batches.set(batch, (r.batches.get(batch) ?? 0) + by)
  }
  const free = (product: number, warehouse: number) => {
    const r = row(product, warehouse)
    return r.quantity - r.reserved
  }

  /** Takes units of the batches in this order; what it took of each, or null when that is not enough. */
  const take = (r: Row, wanted: number, order: readonly string[]) => {
    const parts: [string, number][] = []
    let rest = wanted
    for (const batch of order) {
      const n = Math.min(rest, onHand(r, batch))
      if (n > 0) parts.push([batch, n])
      rest -= n
    }
    if (rest > 0) return null
    for (const [batch, n] of parts) change(r, batch, -n)
    return parts
  }
  const remove = (r: Row, wanted: number) => take(r, wanted, ['', ...batchNames])

  const oldest = (product: number, warehouse: number) =>
    units.filter((u) => u.product === product && u.warehouse === warehouse && u.status === 'in_stock')

  /** All of it or nothing. */
  const ship = (order: Placed, asked: Map<Line, number>) => {
    const beyond = new Map<number, number>()
    const perProduct = new Map<Product, number>()
    for (const [line, n] of asked) {
      if (n > line.quantity - line.fulfilled) return false
      beyond.set(line.product.id, (beyond.get(line.product.id) ?? 0) + Math.max(0, n - line.reserved))
      perProduct.set(line.product, (perProduct.get(line.product) ?? 0) + n)
    }
    for (const [product, n] of beyond) if (n > free(product, order.warehouse)) return false
    for (const [product, n] of perProduct) {
      const r = row(product.id, order.warehouse)
      if (product.tracking === 'batch' && n > r.quantity - onHand(r, 'expired')) return false
    }
    for (const [line, n] of asked) {
      const r = row(line.product.id, order.warehouse)
      const own = Math.min(n, line.reserved)
      if (line.product.tracking === 'batch')
        for (const [batch, part] of take(r, n, ['soon', 'later', 'never', '']) ?? []) {
          const before = line.taken.get(batch)?.units ?? 0
          line.taken.set(batch, { units: before + part, last: ++moment })
        }
      else r.quantity -= n
      if (line.product.tracking === 'serial')
        for (const unit of oldest(line.product.id, order.warehouse).slice(0, n))
          Object.assign(unit, { status: 'sold', line })
      r.reserved -= own
      line.reserved -= own
      line.waiting -= n - own
      line.fulfilled += n
    }
    return true
  }

  const out = (line: Line) => units.filter((u) => u.line === line && ['sold', 'returned'].includes(u.status))

  /** Batches get back what left them, the last first; serials the highest numbers first. */
  const bringBack = (order: Placed, line: Line, n: number) => {
    const r = row(line.product.id, order.warehouse)
    if (line.product.tracking === 'serial')
      for (const unit of out(line)
        .sort((a, b) => b.id - a.id)
        .slice(0, n))
        Object.assign(unit, { status: 'in_stock', line: null, warehouse: order.warehouse })
    if (line.product.tracking !== 'batch') {
      r.quantity += n
      return
    }
    let rest = n
    const order_ = [...line.taken].filter(([batch]) => batch !== '').sort(([, a], [, b]) => b.last - a.last)
    for (const [batch, taken] of order_) {
      const part = Math.min(rest, taken.units)
      if (part === 0) continue
      change(r, batch, part)
      line.taken.set(batch, { units: taken.units - part, last: ++moment })
      rest -= part
    }
    change(r, '', rest)
  }

  return { rows, orders, units, row, fill, free, change, onHand, take, remove, oldest, ship, out, bringBack }
}
export type Model = ReturnType<typeof createModel>
