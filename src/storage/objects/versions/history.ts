import { AppError } from '#platform/errors.ts'
import { tagLists, unconditional, type WriteConditions } from '#platform/http/response/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { authorize } from '../../buckets/authorize.ts'
import { type BucketFacts, bucketOf } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { namesObject } from '../../policies/evaluate.ts'
import { refuseFor } from '../../refusals.ts'
import { keyName, noteHeadChange } from '../heads.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import type { VersionId } from '../objects.ts'
import * as store from './store.ts'

/** The marker on top of a key that has no live object. */
export const lastMarker = (ctx: Storage, ref: ObjectRef) => store.findLastMarker(ctx.db.sql, ref)

/** An entry in the history of a key: a content or a marker. */
export const findEntry = async (ctx: Storage, { bucketId, key }: ObjectRef, versionId: VersionId) =>
  (await store.findEntries(ctx.db.sql, bucketId, [{ key, versionId }]))[0]

export type Removal = { key: string; versionId: VersionId; conditions?: WriteConditions | undefined }

/** What became of a removal. What was not there any more counts as removed. */
export type Removed = { isMarker: boolean; error?: AppError }

/** How many entries one statement removes; see `deleteKeys`. */
const removedAtOnce = 100

/**
 * Removes contents and markers from the histories of keys. A content is gone for good. If a marker is removed, what it has
 * hidden comes back, unless something lies above it. What cannot be removed does not affect the others.
 */
export const removeEntries = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  removals: readonly Removal[],
): Promise<Removed[]> => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const results: Removed[] = removals.map(() => ({ isMarker: false }))
  let open = removals.map((removal, at) => ({ ...removal, at }))
  const attempt = (at: number, work: () => void) => {
    try {
      work()
      return true
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      results[at] = { isMarker: false, error }
      return false
    }
  }
  open = open.filter(({ key, at }) => attempt(at, () => checkKey(key, 'key')))
  while (open.length > 0) {
    const some = open.slice(0, removedAtOnce)
    const entries = await entriesOf(ctx, bucket, some)
    const allowed = some.flatMap((removal, n) => {
      const entry = entries.get(n)
      const isAllowed = attempt(removal.at, () => authorizeRemoval(ctx, me, bucket, removal.key, entry))
      if (isAllowed && entry) results[removal.at] = { isMarker: entry.is_marker }
      return isAllowed && entry ? { ...removal, entry } : []
    })
    const refusals = await run(ctx, me, bucket, allowed)
    // What was found belongs to another object now: the policy may say something else about that.
    const changed = allowed.filter((_, n) => refusals[n] === 'object_changed')
    for (const [n, { at, key }] of allowed.entries()) {
      const refusal = refusals[n] ?? null
      if (refusal === 'object_changed' || refusal === 'version_not_found') continue
      if (attempt(at, () => refuseFor(refusal))) noteHeadChange(ctx, { bucketId: bucket.id, key })
    }
    open = [...changed, ...open.slice(removedAtOnce)]
  }
  return results
}

const entriesOf = async (ctx: Storage, bucket: BucketFacts, removals: readonly Removal[]) => {
  const found = await store.findEntries(ctx.db.sql, bucket.id, removals)
  return new Map(found.map((entry) => [entry.n, entry]))
}

/** Removing a content is a purge, removing a marker brings something back. Only who may purge learns that there is neither. */
const authorizeRemoval = (
  ctx: Storage,
  me: Principal,
  bucket: BucketFacts,
  key: string,
  entry: store.FoundEntry | undefined,
) =>
  authorize(ctx, me, entry?.is_marker ? 'object.recover' : 'object.purge', {
    bucket,
    key,
    objectId: entry?.object_id ?? undefined,
    size: entry?.size_bytes ?? undefined,
    contentType: entry?.content_type ?? undefined,
  })

const run = async (
  ctx: Storage,
  me: Principal,
  bucket: BucketFacts,
  removals: readonly (Removal & { entry: store.FoundEntry })[],
) => {
  if (removals.length === 0) return []
  const rows = removals.map(({ key, entry, conditions = unconditional }) => ({
    now: ctx.clock.now(),
    bucket: bucket.id,
    key,
    version: entry.id,
    only_if: tagLists(conditions).onlyIf,
    is_expected: namesObject(bucket.policy) || me.grants !== undefined,
    expected_id: entry.object_id,
    audit_id: uuidv7(),
    actor: me.userId,
    ip: me.ip,
  }))
  const names = rows.map(({ key }) => keyName({ bucketId: bucket.id, key }))
  const results = await ctx.db.write((q) => store.deleteVersions(q, me.orgId, { names, rows }))
  return results.map(({ refusal }) => refusal)
}
