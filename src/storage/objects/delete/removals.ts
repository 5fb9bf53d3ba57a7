import type { Storage } from '../../context.ts'
import { rulesOf } from '../../lifecycle/lifecycle.ts'
import { type Rules, removalOf } from '../../lifecycle/rules.ts'
import * as store from './store.ts'

const goesAt = (rules: Rules, { since, ...content }: store.NoncurrentContent) =>
  removalOf(rules, { ...content, since: new Date(since) })?.at.toISOString() ?? null

/** Objects of a bucket. Those that are deleted say when they go for good; null: never. */
export const withRemovals = async <O extends { id: string; is_deleted: boolean }>(
  ctx: Storage,
  bucketId: string,
  objects: readonly O[],
): Promise<(O & { expires_at?: string | null })[]> => {
  const ids = objects.filter(({ is_deleted }) => is_deleted).map(({ id }) => id)
  if (ids.length === 0) return [...objects]
  const rules = await rulesOf(ctx, bucketId)
  const isCounted = rules.noncurrent.some((rule) => rule.newer_noncurrent_versions !== null)
  const deleted = await store.findNoncurrent(ctx.db.sql, ids, isCounted)
  const times = new Map(deleted.map((content) => [content.id, goesAt(rules, content)]))
  return objects.map((object) => {
    const expires_at = times.get(object.id)
    return expires_at === undefined ? object : { ...object, expires_at }
  })
}

/** Versions of a key. All but the current one say when they go for good. */
export const versionsWithRemovals = async (
  ctx: Storage,
  bucketId: string,
  versions: readonly store.VersionRow[],
) => {
  const rules = await rulesOf(ctx, bucketId)
  return versions.map(({ since, tags, newer, ...version }) => {
    if (since === null) return version
    const { object_key: key, size_bytes: size } = version
    return {
      ...version,
      expires_at: goesAt(rules, { id: version.version_id, key, size, tags, since, newer }),
    }
  })
}
