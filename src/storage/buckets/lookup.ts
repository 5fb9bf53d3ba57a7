import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { jsonBytes, lru } from '#platform/cache/lru.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Storage } from '../context.ts'
import { compilePolicy, type Policy } from '../policies/evaluate.ts'
import { noBucket } from '../refusals.ts'
import { isClosed } from './public-access.ts'
import * as store from './store.ts'

/** Signalled when the row of a bucket changes. */
export const bucketTopic = 'storage.bucket'

/** What every request on a bucket needs to know of it. Not its counters, which change all the time. */
export type BucketFacts = Omit<store.FactsRow, 'policy'> & {
  policy: Policy
  isClosed: boolean
  /** About what they take in memory, as a policy may be large. */
  bytes: number
}

const bytesWithoutPolicy = 1024
/** Patterns and address ranges take more once they are compiled. */
const compiledBytes = ({ policy }: store.FactsRow) => 4 * jsonBytes(policy)

const compiled = (row: store.FactsRow): BucketFacts => ({
  ...row,
  policy: compilePolicy(row.policy),
  isClosed: isClosed(row.publicAccessBlock),
  bytes: bytesWithoutPolicy + compiledBytes(row) + jsonBytes(row.cors),
})

/** Buckets by id, with their policy compiled. */
export const bucketCache = moduleState(({ db, signals }: Platform) =>
  signalledCache<BucketFacts | undefined>(signals, {
    topic: bucketTopic,
    max: 100_000,
    bytesOf: ({ bytes }) => bytes,
    load: async (id) => {
      const row = await store.findFacts(db.sql, id)
      return row && compiled(row)
    },
  }),
)

/** To be called when a bucket's row changes: all nodes drop their cached copy. */
export const bucketChanged = (ctx: Storage, tx: Tx, id: string) => ctx.signals.publish(tx, bucketTopic, id)

/** A bucket of this organization; throws 404 if there is none. Does not check what the caller may do with it. */
export const bucketOf = async (ctx: Storage, orgId: string, bucketId: string): Promise<BucketFacts> => {
  const bucket = await bucketCache(ctx).get(bucketId.toLowerCase())
  return bucket?.orgId === orgId ? bucket : noBucket()
}

/** The ids of buckets by the ids of their organizations and their names, which never change. */
const idsByName = moduleState(() => lru<string>(20_000))

/** A bucket of this organization by its name. One that was deleted may have left its name to another. */
export const bucketNamed = async (ctx: Storage, orgId: string, name: string) => {
  const ids = idsByName(ctx)
  const place = `${orgId}/${name}`
  const known = ids.get(place)
  const bucket = known === undefined ? undefined : await bucketCache(ctx).get(known)
  if (bucket) return bucket
  const id = await store.findIdByName(ctx.db.sql, orgId, name)
  if (id === undefined) return undefined
  ids.set(place, id)
  return bucketCache(ctx).get(id)
}

const readAtOnce = 200
const compiledAtOnce = 20

/**
 * Many buckets, one after another. Those that are not cached are read some at a time, and not put into the cache:
 * whoever has many with large policies holds up nobody else, and takes no room from them.
 */
export const bucketsByIds = async function* (ctx: Storage, ids: readonly string[]) {
  for (let n = 0; n < ids.length; n += readAtOnce) {
    const some = ids.slice(n, n + readAtOnce)
    const missing: string[] = []
    for (const id of some) {
      const known = bucketCache(ctx).peek(id)
      if (known) yield known
      else missing.push(id)
    }
    const rows = missing.length > 0 ? await store.listFacts(ctx.db.sql, missing) : []
    for (const [m, row] of rows.entries()) {
      if (m % compiledAtOnce === compiledAtOnce - 1) await yieldToOthers()
      yield compiled(row)
    }
  }
}
