import { lru } from '#platform/cache/lru.ts'
import { moduleState } from '#platform/module-state.ts'
import { singleFlightByKey } from '#platform/single-flight.ts'
import { liveObjectCount } from '../../buckets/usage.ts'
import type { Storage } from '../../context.ts'
import * as store from './store.ts'

const maxCached = 4_000
/** Well before the changes are deleted that would bring a count up to date. */
const maxAgeMs = 30 * 60_000
const changesKeptMs = 2 * maxAgeMs

const counts = moduleState(() => ({
  cached: lru<store.Counted & { at: number }>(maxCached),
  counting: singleFlightByKey<store.Counted>(),
}))

/** Up to this many objects, scanning all keys is as fast as the index. */
const smallBucket = 20_000
/** The trigram index needs three characters. */
const shortestIndexed = 3

/** The trigram index covers the buckets of all organizations, so it does not help in a small bucket. */
export const planFor = async (
  ctx: Storage,
  { bucketId, search }: store.Filter,
): Promise<store.SearchPlan> => {
  if ([...search].length < shortestIndexed) return 'scan'
  return (await liveObjectCount(ctx.db.sql, bucketId)) > smallBucket ? 'index' : 'scan'
}

const nameOf = ({ bucketId, prefix, search, includeDeleted }: store.Filter) =>
  JSON.stringify([bucketId, includeDeleted, prefix, search])

/** Counts all matches, once for all requests that need the same count at the same time. */
const countOnce = async (ctx: Storage, name: string, filter: store.Filter) => {
  const { counting } = counts(ctx)
  const found = counting.running(name)
  // That count began before this request, and so may lack what this client has just stored.
  if (found !== undefined) return store.countSince(ctx.db.sql, filter, await found)
  return counting.run(name, async () => store.countObjects(ctx.db.long, filter, await planFor(ctx, filter)))
}

/**
 * How many objects match, exactly. All matches are counted only once; after that, what was added and removed since is
 * added, so that a page costs the same however many objects match.
 */
export const countMatches = async (ctx: Storage, filter: store.Filter): Promise<number> => {
  const name = nameOf(filter)
  const at = performance.now()
  const { cached } = counts(ctx)
  const known = cached.get(name)
  const counted =
    known && at - known.at < maxAgeMs
      ? await store.countSince(ctx.db.sql, filter, known)
      : await countOnce(ctx, name, filter)
  cached.set(name, { ...counted, at })
  return counted.total
}

/** Deletes changes that are older than any cached count. */
export const forgetChanges = (ctx: Storage) => store.forgetChanges(ctx.db.sql, changesKeptMs)
