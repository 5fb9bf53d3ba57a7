import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { LifecycleRule } from './schema.ts'

/** The rules of a bucket; null if they were never changed. */
export const findRules = (q: Sql, bucketId: string) =>
  maybeOne(q<{ rules: LifecycleRule[] | null }[]>`
    select lifecycle as rules from storage.buckets where id = ${bucketId}`)

/** The same, locked against changes until the transaction ends. */
export const lockRules = (q: Sql, bucketId: string) =>
  maybeOne(q<{ rules: LifecycleRule[] | null }[]>`
    select lifecycle as rules from storage.buckets where id = ${bucketId} for no key update`)

/** The next sweep applies the new rules, even if there was one today, or one is under way. */
export const updateRules = (q: Sql, orgId: string, bucketId: string, rules: readonly LifecycleRule[]) => q`
  update storage.buckets set lifecycle = ${q.json(rules)}, swept_at = null, sweep_id = null, sweeping_until = null
  where org_id = ${orgId} and id = ${bucketId}`
