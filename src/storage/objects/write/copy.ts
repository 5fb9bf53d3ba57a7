import { maybeOne } from '#platform/db/rows.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { releaseBlobs } from '../../blobs/blobs.ts'
import { authorize } from '../../buckets/authorize.ts'
import { type BucketFacts, bucketOf } from '../../buckets/lookup.ts'
import { applyUsage, holdBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { headChanged, lockKeys } from '../heads.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import { auditObject, authorizedObject } from '../objects.ts'
import type { Destination } from '../schema.ts'
import * as store from '../store.ts'
import { writeObject } from './write-object.ts'

type Place = ObjectRef & { bucket: BucketFacts }
const placeIn = (bucket: BucketFacts, key: string): Place => ({ bucket, bucketId: bucket.id, key })

/** Source and target. The caller may read the source; whether they may write the target is decided under its lock. */
const placesOf = async (ctx: Storage, me: Principal, from: ObjectRef, to: Destination) => {
  const { bucket, object } = await authorizedObject(ctx, me, 'object.read', from)
  if (!object) notFound()
  const { destinationBucketId } = to
  const targetBucket = destinationBucketId ? await bucketOf(ctx, me.orgId, destinationBucketId) : bucket
  return {
    source: placeIn(bucket, from.key),
    target: placeIn(targetBucket, checkKey(to.destinationKey, 'destinationKey')),
  }
}

export const copyObject = async (ctx: Storage, me: Principal, from: ObjectRef, to: Destination) => {
  const { source, target } = await placesOf(ctx, me, from, to)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [source, target])
    const original = (await maybeOne(store.lockLive(tx, source))) ?? notFound()
    const written = await writeObject(ctx, tx, {
      writer: me,
      bucket: target.bucket,
      key: target.key,
      content: store.contentOf(original),
      source: 'shared',
      event: {
        action: 'object.copied',
        details: { fromBucketId: source.bucketId, fromKey: source.key },
        now,
      },
    })
    await applyUsage(tx, me.orgId, [written.usage], { now, checkLimits: true })
    return written
  })
}

/** Moves the object itself, with its id and its versions. An object that it replaces becomes part of its history. */
export const moveObject = async (ctx: Storage, me: Principal, from: ObjectRef, to: Destination) => {
  const { source, target } = await placesOf(ctx, me, from, to)
  await authorizedObject(ctx, me, 'object.delete', from)
  if (source.bucketId === target.bucketId && source.key === target.key)
    invalid('destinationKey', 'must be another place than the source')
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [source, target])
    await holdBucket(tx, me.orgId, source.bucketId)
    const { versioning } = await holdBucket(tx, me.orgId, target.bucketId)
    const moving = (await maybeOne(store.lockLive(tx, source))) ?? notFound()
    const old = await maybeOne(store.lockLive(tx, target))
    const { content_type: contentType, size_bytes: size } = moving
    const { bucket, key } = target
    authorize(ctx, me, 'object.write', { bucket, key, contentType, size, objectId: old?.id })
    const retained = await store.retainedBytes(tx, moving.id)
    if (old) {
      if (versioning) await store.keepAsVersion(tx, old.id, now)
      else await releaseBlobs(tx, old.blobs, now)
      await store.adoptVersions(tx, old.id, moving.id)
      await store.deleteRow(tx, old.id)
    }
    const object = await store.moveObject(tx, moving.id, target, now)
    const details = { fromBucketId: source.bucketId, fromKey: source.key }
    await auditObject(tx, me, object, { action: 'object.moved', details, now })
    await headChanged(ctx, tx, source)
    await headChanged(ctx, tx, target)
    const released = old && !versioning ? old.size_bytes : 0
    const deltas = [
      { bucketId: source.bucketId, objects: -1, live: -size, retained: -retained },
      {
        bucketId: target.bucketId,
        objects: old ? 0 : 1,
        live: size - (old?.size_bytes ?? 0),
        retained: retained - released,
      },
    ]
    await applyUsage(tx, me.orgId, deltas, { now, checkLimits: true })
    return { object, created: !old }
  })
}
