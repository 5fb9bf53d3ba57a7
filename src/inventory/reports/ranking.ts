import { LRUCache } from 'lru-cache'
import { moduleState } from '#platform/module-state.ts'
import type { Page } from '../lists.ts'

/** What was sold of a product in a period, less returns; money in cents. */
export type Sold = { product_id: number; units: number; revenue: bigint; cogs: bigint }

export type RankedBy =
  | 'cogs'
  | '-cogs'
  | 'revenue'
  | '-revenue'
  | 'gross_margin'
  | '-gross_margin'
  | 'quantity'
  | '-quantity'
type Order = (a: Sold, b: Sold) => number

const figures: Record<string, (sold: Sold) => bigint | number> = {
  cogs: ({ cogs }) => cogs,
  revenue: ({ revenue }) => revenue,
  gross_margin: ({ revenue, cogs }) => revenue - cogs,
  quantity: ({ units }) => units,
}

const orderBy = (by: RankedBy): Order => {
  const figure = figures[by.replace('-', '')]!
  const sign = by.startsWith('-') ? -1 : 1
  return (a, b) => {
    const [one, other] = [figure(a), figure(b)]
    return one === other ? a.product_id - b.product_id : one < other ? -sign : sign
  }
}

const add = (a: Sold | undefined, b: Sold): Sold =>
  a ? { ...b, units: a.units + b.units, revenue: a.revenue + b.revenue, cogs: a.cogs + b.cogs } : b

export type Ranking = { order: Order; rows: readonly Sold[]; byProduct: ReadonlyMap<number, Sold> }

export const rankingOf = (rows: readonly Sold[], by: RankedBy): Ranking => {
  const order = orderBy(by)
  return { order, rows: rows.toSorted(order), byProduct: new Map(rows.map((row) => [row.product_id, row])) }
}

/** A page of the ranking with some more sales merged in, without sorting it all again. */
export const pageWith = (ranking: Ranking, more: readonly Sold[], { offset, limit }: Omit<Page, 'page'>) => {
  const { order, rows, byProduct } = ranking
  const changed = new Map(more.map((row) => [row.product_id, add(byProduct.get(row.product_id), row)]))
  const fresh = [...changed.values()].sort(order)
  const page: Sold[] = []
  const end = offset + limit
  for (let at = 0, next = 0, n = 0; n < end; n++) {
    while (at < rows.length && changed.has(rows[at]!.product_id)) at++
    const [kept, other] = [rows[at], fresh[next]]
    const row = kept && (!other || order(kept, other) < 0) ? kept : other
    if (!row) break
    if (row === kept) at++
    else next++
    if (n >= offset) page.push(row)
  }
  const added = more.filter(({ product_id }) => !byProduct.has(product_id)).length
  return { page, total: rows.length + added }
}

/** Caches the most recently used rankings, as many as have `maxRows` rows together. Concurrent callers share one load. */
export const createRankings = (maxRows = 300_000) => {
  const kept = new LRUCache<string, Ranking, () => Promise<Ranking>>({
    maxSize: maxRows,
    sizeCalculation: ({ rows }) => Math.max(1, rows.length),
    fetchMethod: (_key, _stale, { context: load }) => load(),
  })
  return (key: string, by: RankedBy, load: () => Promise<readonly Sold[]>) =>
    kept.forceFetch(`${by},${key}`, { context: async () => rankingOf(await load(), by) })
}

export const rankings = moduleState(() => createRankings())
