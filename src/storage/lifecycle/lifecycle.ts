import { jsonBytes } from '#platform/cache/lru.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import { unconditional, type WriteConditions } from '#platform/http/response/conditional.ts'
import { requireDocument } from '#platform/http/response/document.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { authorizedBucket } from '../buckets/authorize.ts'
import { auditBucket } from '../buckets/buckets.ts'
import { bucketChanged, bucketTopic } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import { noBucket } from '../refusals.ts'
import { checkRules, defaultRules, type Rules, sortRules } from './rules.ts'
import type { NewLifecycleRule } from './schema.ts'
import * as store from './store.ts'

const rulesIn = ({ config }: Pick<Platform, 'config'>, row: Awaited<ReturnType<typeof store.findRules>>) =>
  row && (row.rules ?? defaultRules(config.retentionDays))

const cache = moduleState(({ db, signals, config }: Platform) =>
  signalledCache<Rules | undefined>(signals, {
    topic: bucketTopic,
    max: 50_000,
    bytesOf: jsonBytes,
    load: async (id) => {
      const rules = rulesIn({ config }, await store.findRules(db.sql, id))
      return rules && sortRules(rules)
    },
  }),
)

const noRules = sortRules([])

/** The enabled rules of a bucket. One that was deleted has none. */
export const rulesOf = async (ctx: Storage, bucketId: string): Promise<Rules> =>
  (await cache(ctx).get(bucketId)) ?? noRules

export const getLifecycle = async (ctx: Storage, me: Principal, bucketId: string) => {
  const { id } = await authorizedBucket(ctx, me, 'bucket.read', { bucketId })
  return { rules: rulesIn(ctx, await store.findRules(ctx.db.sql, id)) ?? noBucket() }
}

/** Replaces all rules. Without any, nothing goes by itself any more. */
export const replaceLifecycle = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  input: readonly NewLifecycleRule[],
  conditions: WriteConditions = unconditional,
) => {
  const { id } = await authorizedBucket(ctx, me, 'bucket.update', { bucketId })
  await requireActivePlan(ctx, me)
  const rules = checkRules(input)
  await ctx.db.transaction(async (tx) => {
    requireDocument(conditions, rulesIn(ctx, await store.lockRules(tx, id)) ?? noBucket())
    if ((await store.updateRules(tx, me.orgId, id, rules)).count === 0) noBucket()
    const payload = { lifecycleRules: rules.length }
    await auditBucket(tx, me, { action: 'bucket.updated', bucketId: id, payload, now: ctx.clock.now() })
    await bucketChanged(ctx, tx, id)
  })
  return { rules }
}
