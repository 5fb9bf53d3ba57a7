import { lru } from '#platform/cache/lru.ts'
import type { Publishing } from '../context.ts'
import type { Wanted } from './query.ts'
import { countMatches } from './store.ts'

/** Counting this many takes a while; a minute later the count is off by very little. */
const large = 10_000
const freshMs = 60_000

type Totals = ReturnType<typeof lru<{ total: number; until: number }>>
const kept = new WeakMap<object, Totals>()

/** How many posts hold something common: exactly up to 10,000, beyond as it was within the last minute. */
export const totalOf = async (ctx: Publishing, wanted: Wanted, grams: string) => {
  const totals = kept.get(ctx.memory) ?? lru(1_000)
  kept.set(ctx.memory, totals)
  const key = wanted.words.toSorted().join(' ')
  const known = totals.get(key)
  if (known && known.until > performance.now()) return known.total
  const total = await countMatches(ctx.db.sql, wanted, grams)
  if (total > large) totals.set(key, { total, until: performance.now() + freshMs })
  return total
}
