import { AppError, invalid, notFound } from '#platform/errors.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { account, holdBucket } from '../buckets/accounting.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { bucketOf, demand } from '../policies/authorize.ts'
import { headChanged, lockNames } from './heads.ts'
import { checkKey } from './key.ts'
import { auditObject, deleteObject, objectFor } from './objects.ts'
import { place } from './place.ts'
import type { Destination } from './schema.ts'
import * as store from './store.ts'

type Spot = { bucket: BucketFacts; key: string }

/** From where to where, once the caller may read the one; whether to write the other is asked when it is locked. */
const route = async (ctx: Storage, me: Principal, bucketId: string, key: string, to: Destination) => {
  const { bucket, object } = await objectFor(ctx, me, bucketId, key, 'object.read')
  if (!object) notFound()
  const target = {
    bucket: to.destinationBucketId ? await bucketOf(ctx, me.orgId, to.destinationBucketId) : bucket,
    key: checkKey(to.destinationKey, 'destinationKey'),
  }
  return { source: { bucket, key }, target }
}

const placeOf = ({ bucket, key }: Spot): [string, string] => [bucket.id, key]

export const copyObject = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  to: Destination,
) => {
  const { source, target } = await route(ctx, me, bucketId, key, to)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockNames(tx, [placeOf(source), placeOf(target)])
    const original = (await store.lockLive(tx, ...placeOf(source))) ?? notFound()
    const { content_type, size_bytes, etag, metadata, blobs } = original
    const content = { content_type, size_bytes, etag, metadata, blobs }
    return place(ctx, tx, { writer: me, ...target, content, bytes: 'shared', now }, ({ object }) =>
      auditObject(tx, me, 'object.copied', object, now, { fromBucketId: source.bucket.id, fromKey: key }),
    )
  })
}

/** The object itself moves, with its id and its versions. One that it replaces becomes part of its history. */
export const moveObject = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  to: Destination,
) => {
  const { source, target } = await route(ctx, me, bucketId, key, to)
  await objectFor(ctx, me, bucketId, key, 'object.delete')
  if (source.bucket.id === target.bucket.id && key === target.key)
    invalid('destinationKey', 'must be another place than the source')
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockNames(tx, [placeOf(source), placeOf(target)])
    await holdBucket(tx, me.orgId, source.bucket.id)
    const { versioning } = await holdBucket(tx, me.orgId, target.bucket.id)
    const moving = (await store.lockLive(tx, ...placeOf(source))) ?? notFound()
    const old = await store.lockLive(tx, ...placeOf(target))
    const { content_type: contentType, size_bytes: size } = moving
    demand(ctx, me, target.bucket, 'object.write', { key: target.key, contentType, size, objectId: old?.id })
    const mine = await store.retainedBy(tx, moving.id)
    if (old) {
      if (versioning) await store.keepAsVersion(tx, old.id, now)
      else await releaseBlobs(tx, old.blobs, now)
      await store.adoptVersions(tx, old.id, moving.id)
      await store.deleteRow(tx, old.id)
    }
    const object = await store.moveObject(tx, moving.id, target.bucket.id, target.key, now)
    await auditObject(tx, me, 'object.moved', object, now, { fromBucketId: source.bucket.id, fromKey: key })
    await headChanged(ctx, tx, ...placeOf(source))
    await headChanged(ctx, tx, ...placeOf(target))
    const lost = old && !versioning ? old.size_bytes : 0
    await account(
      tx,
      me.orgId,
      [
        { bucketId: source.bucket.id, objects: -1, live: -size, retained: -mine },
        {
          bucketId: target.bucket.id,
          objects: old ? 0 : 1,
          live: size - (old?.size_bytes ?? 0),
          retained: mine - lost,
        },
      ],
      { now, write: true },
    )
    return { object, created: !old }
  })
}

/**
 * Each key on its own, allowed and deleted in a transaction of its own: what cannot be deleted is told and keeps
 * nothing else from it. When the database is lost on the way, some of them may be gone already.
 */
export const deleteObjects = async (ctx: Storage, me: Principal, bucketId: string, keys: string[]) => {
  await bucketOf(ctx, me.orgId, bucketId)
  const deleted: string[] = []
  const errors: { key: string; message: string }[] = []
  const one = async (key: string) => {
    try {
      await deleteObject(ctx, me, bucketId, checkKey(key, 'keys'))
      deleted.push(key)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      errors.push({ key, message: error.message })
    }
  }
  const waiting = [...new Set(keys)].values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const key of waiting) await one(key)
    }),
  )
  const order = new Map(keys.map((key, index) => [key, index]))
  const position = (key: string) => order.get(key) ?? 0
  return {
    deleted: deleted.sort((a, b) => position(a) - position(b)),
    errors: errors.sort((a, b) => position(a.key) - position(b.key)),
  }
}
