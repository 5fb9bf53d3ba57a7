import { lru } from '#platform/cache/lru.ts'
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
export type BucketFacts = Omit<store.FactsRow, 'policy'> & { policy: Policy; isClosed: boolean }

const compiled = (row: store.FactsRow): BucketFacts => ({
  ...row,
  policy: compilePolicy(row.policy),
  isClosed: isClosed(row.publicAccessBlock),
})

/** Buckets by id, with their policy compiled. */
export const bucketCache = moduleState(({ db, signals }: Platform) =>
  signalledCache<BucketFacts | undefined>(signals, {
    topic: bucketTopic,
    max: 20_000,
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

/** The same, if it is cached. */
export const recallBucketNamed = (ctx: Storage, orgId: string, name: string) => {
  const id = idsByName(ctx).get(`${orgId}/${name}`)
  return id === undefined ? undefined : bucketCache(ctx).peek(id)
}

/** Many buckets by id. Those that are not cached are read with one query, and not put into the cache. */
export const bucketsByIds = async (ctx: Storage, ids: string[]) => {
  const found = new Map(ids.map((id) => [id, bucketCache(ctx).peek(id)]))
  const missing = ids.filter((id) => found.get(id) === undefined)
  if (missing.length > 0)
    for (const row of await store.listFacts(ctx.db.sql, missing)) found.set(row.id, compiled(row))
  return found
}
