import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { AppError, conflict, notFound } from '#platform/errors.ts'
import { tagLists, unconditional, type WriteConditions } from '#platform/http/response/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Actor } from '../../audit/audit.ts'
import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import { type BucketFacts, bucketOf } from '../../buckets/lookup.ts'
import { applyUsage, lockBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { noBucket, refuseFor } from '../../refusals.ts'
import { keyName, lockKeys, noteHeadChange } from '../heads.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import { aboutObject, auditObject, authorizedObject, type VersionId } from '../objects.ts'
import { findHeads, lockDeleted, lockLive, recover } from '../store.ts'
import { batchesByOrganization } from '../write/batch-writer.ts'
import * as store from './store.ts'

type DeleteOptions = {
  conditions?: WriteConditions | undefined
  /** Adds a marker even if there is no live object. While versioning is suspended, it replaces what is unversioned. */
  marks?: boolean
}

const deletionOf = (
  ctx: Storage,
  me: Pick<Actor, 'userId' | 'ip'>,
  { bucketId: bucket, key }: ObjectRef,
  { conditions = unconditional, marks = false }: DeleteOptions = {},
): store.DeletionRow => {
  const { onlyIf: only_if, unless } = tagLists(conditions)
  return {
    now: ctx.clock.now(),
    bucket,
    key,
    marker: uuidv7(),
    marks,
    only_if,
    unless,
    audit_id: uuidv7(),
    actor: me.userId,
    ip: me.ip,
  }
}

const refIn = ({ bucket, key }: store.DeletionRow): ObjectRef => ({ bucketId: bucket, key })

const runDeletions = (q: Sql, orgId: string, rows: readonly store.DeletionRow[]) =>
  store.deleteLive(q, orgId, { names: rows.map(refIn).map(keyName), rows })

const deleters = moduleState(({ db }: Platform) =>
  batchesByOrganization(db, {
    exclusiveBy: (row: store.DeletionRow) => keyName(refIn(row)),
    run: runDeletions,
  }),
)

/** What a deletion has added to the history of a key. */
export type Marker = { versionId: VersionId }

const markerOf = ({ marker_id, unversioned }: Pick<store.DeletedRow, 'marker_id' | 'unversioned'>) =>
  marker_id === null ? undefined : { versionId: unversioned ? null : marker_id }

/** Marks the live object of a key as deleted; it can be recovered until it is purged. */
export const deleteObject = async (
  ctx: Storage,
  me: Principal,
  ref: ObjectRef,
  conditions?: WriteConditions,
) => (await deleteKey(ctx, me, ref, { conditions })).object

/** The same, also with the marker that it has added, if the bucket has, or has had, versions. */
export const deleteKey = async (
  ctx: Storage,
  me: Principal,
  { bucketId, key }: ObjectRef,
  options: DeleteOptions,
) => {
  const { bucket } = await authorizedObject(ctx, me, 'object.delete', { bucketId, key })
  const ref = { bucketId: bucket.id, key }
  const deletion = deletionOf(ctx, me, ref, options)
  const row = await ctx.orRefuse(deleters(ctx)(me.orgId, deletion))
  const { refusal, marker_id, unversioned, ...object } = row
  refuseFor(refusal)
  noteHeadChange(ctx, ref)
  return { object, marker: markerOf({ marker_id, unversioned }) }
}

/** Deletes keys together. If they do not fit into the quota together, each is deleted or refused alone. */
const deleteRows = async (
  ctx: Storage,
  orgId: string,
  rows: store.DeletionRow[],
): Promise<(store.DeletedRow | AppError)[]> => {
  const refused = (error: unknown) => (error instanceof AppError ? error : Promise.reject(error))
  const together = await ctx.orRefuse(ctx.db.write((q) => runDeletions(q, orgId, rows))).catch(refused)
  return together instanceof AppError
    ? Promise.all(rows.map((row) => ctx.orRefuse(deleters(ctx)(orgId, row)).catch(refused)))
    : [...together]
}

/** How many keys one statement deletes: each needs a lock, of which the database has some thousands. */
const deletedAtOnce = 100

/** Deletes many keys, and says which were deleted and which were not. */
export const deleteObjects = async (ctx: Storage, me: Principal, bucketId: string, keys: string[]) => {
  const { failures } = await deleteKeys(
    ctx,
    me,
    bucketId,
    keys.map((key) => ({ key })),
  )
  return {
    deleted: [...new Set(keys)].filter((key) => !failures.has(key)),
    errors: [...new Set(keys)].flatMap((key) => {
      const error = failures.get(key)
      return error === undefined ? [] : { key, message: error.message }
    }),
  }
}

/**
 * Deletes many keys, and returns their markers, and why some could not be deleted, which does not affect the others. If the
 * database is lost meanwhile, some of the keys may be deleted already.
 */
export const deleteKeys = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  deletions: ({ key: string } & DeleteOptions)[],
) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const failures = new Map<string, AppError>()
  const markers = new Map<string, Marker>()
  const options = new Map(deletions.map((deletion) => [deletion.key, deletion]))
  const attempt = (key: string, work: () => void) => {
    try {
      work()
      return true
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      failures.set(key, error)
      return false
    }
  }
  const valid = [...options.keys()].filter((key) => attempt(key, () => checkKey(key, 'keys')))
  const heads = await headsFor(ctx, bucket, valid)
  const allowed = valid.filter((key) =>
    attempt(key, () => authorize(ctx, me, 'object.delete', { bucket, ...aboutObject(heads.get(key), key) })),
  )
  for (let at = 0; at < allowed.length; at += deletedAtOnce) {
    const some = allowed.slice(at, at + deletedAtOnce)
    const rows = some.map((key) => deletionOf(ctx, me, { bucketId: bucket.id, key }, options.get(key)))
    const results = await deleteRows(ctx, me.orgId, rows)
    for (const [index, result] of results.entries()) {
      const key = some[index] as string
      const isDeleted = attempt(key, () => {
        if (result instanceof AppError) throw result
        refuseFor(result.refusal)
      })
      if (!isDeleted || result instanceof AppError) continue
      noteHeadChange(ctx, { bucketId: bucket.id, key })
      const marker = markerOf(result)
      if (marker) markers.set(key, marker)
    }
  }
  return { failures, markers }
}

/** Deletes contents that are still current, as nobody in particular. */
export const expireObjects = async (
  ctx: Storage,
  { id: bucket, orgId }: { id: string; orgId: string },
  contents: readonly { key: string; version: string }[],
) => {
  const rows = contents.map(({ key, version }) => ({
    ...deletionOf(ctx, { userId: null, ip: '' }, { bucketId: bucket, key }),
    version,
  }))
  const results = await ctx.db.write((q) => runDeletions(q, orgId, rows))
  for (const [index, { refusal }] of results.entries())
    if (refusal === null) noteHeadChange(ctx, { bucketId: bucket, key: contents[index]?.key as string })
}

/** The objects of keys, by key, if a policy may ask about them. */
const headsFor = async (ctx: Storage, bucket: BucketFacts, keys: string[]) => {
  const found = bucket.policy.length > 0 ? await findHeads(ctx.db.sql, bucket.id, keys) : []
  return new Map(found.map((head) => [head.object_key, head]))
}

const noDeletedObject = () => notFound('No deleted object with this key')

/** Brings back the object of a key that was deleted last, unless the key is taken. */
export const recoverObject = async (ctx: Storage, me: Principal, { bucketId, key }: ObjectRef) => {
  const bucket = await authorizedBucket(ctx, me, 'object.recover', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    const held = await maybeOne(lockBucket(tx, me.orgId, bucket.id))
    const live = await maybeOne(lockLive(tx, ref))
    const deleted = await maybeOne(lockDeleted(tx, ref))
    if (!held) noBucket()
    if (!deleted) return live ? conflict('The object is not deleted') : noDeletedObject()
    authorize(ctx, me, 'object.recover', { bucket, ...aboutObject(deleted, key) })
    if (live) conflict('A live object has taken this key')
    const { markers, ...object } = await recover(tx, deleted.id, now)
    await auditObject(tx, me, object, { action: 'object.recovered', now })
    const change = { bucketId: bucket.id, objects: 1, live: object.size_bytes, retainedObjects: -markers }
    await ctx.orRefuse(applyUsage(tx, me.orgId, change, { now, checkLimits: true }))
    return object
  })
}
