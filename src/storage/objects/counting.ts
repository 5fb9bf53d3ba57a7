import { lru } from '#platform/cache/lru.ts'
import { liveObjects } from '../buckets/accounting.ts'
import type { Storage } from '../context.ts'
import * as store from './listing-store.ts'

type Kept = store.Counted & { at: number }

/** Numbers of matches that were counted lately, and those that are being counted right now. */
export type Counts = {
  kept: ReturnType<typeof lru<Kept>>
  running: Map<string, Promise<store.Counted>>
}

const maxKept = 4_000
/** Well before the changes that would bring a number up to date are forgotten. */
const maxAgeMs = 30 * 60_000
const forgetAfterMs = 2 * maxAgeMs

export const createCounts = (): Counts => ({ kept: lru(maxKept), running: new Map() })

/** Below this many objects a walk through all of them is as quick as anything. */
const walkable = 20_000
/** The index of substrings knows runs of three characters. */
const shortestIndexed = 3

/** The index covers the buckets of everybody, so that it is no help in a small one. */
export const wayFor = async (ctx: Storage, { bucketId, search }: store.Filter): Promise<store.Way> =>
  [...search].length >= shortestIndexed && (await liveObjects(ctx.db.sql, bucketId)) > walkable
    ? 'index'
    : 'walk'

const nameOf = ({ bucketId, prefix, search, includeDeleted }: store.Filter) =>
  JSON.stringify([bucketId, includeDeleted, prefix, search])

/** Whoever asks for the same while it is being counted waits for that one. */
const countOnce = async (ctx: Storage, name: string, filter: store.Filter) => {
  const { running } = ctx.counts
  const found = running.get(name)
  // It began before this request did, and so may not know what this client has just stored.
  if (found !== undefined) return store.countSince(ctx.db.sql, filter, await found)
  const counting = wayFor(ctx, filter).then((way) => store.countObjects(ctx.db.sql, filter, way))
  running.set(name, counting)
  return counting.finally(() => running.delete(name))
}

/**
 * How many objects match, exactly. All of them are counted the first time only; from then on what has come and
 * gone since is added, so that a page costs the same however many there are.
 */
export const countMatches = async (ctx: Storage, filter: store.Filter): Promise<number> => {
  const name = nameOf(filter)
  const at = performance.now()
  const kept = ctx.counts.kept.get(name)
  const counted =
    kept && at - kept.at < maxAgeMs
      ? await store.countSince(ctx.db.sql, filter, kept)
      : await countOnce(ctx, name, filter)
  ctx.counts.kept.set(name, { ...counted, at })
  return counted.total
}

/** Changes that no number which is still used was counted before. */
export const forgetChanges = (ctx: Storage) => store.forgetChanges(ctx.db.sql, forgetAfterMs)
