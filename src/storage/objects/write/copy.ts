import { invalid } from '#platform/errors.ts'
import type { WriteConditions } from '#platform/http/response/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { authorize } from '../../buckets/authorize.ts'
import { type BucketFacts, bucketOf } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { noObject, refuseFor } from '../../refusals.ts'
import { keyName, noteHeadChange } from '../heads.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import { auditPayload, authorizedObject, type ContentRef } from '../objects.ts'
import type { Destination } from '../schema.ts'
import * as store from '../store.ts'
import * as writes from './store.ts'
import { expectedAt, writeObject } from './write.ts'

type Place = ObjectRef & { bucket: BucketFacts }
const placeIn = (bucket: BucketFacts, key: string): Place => ({ bucket, bucketId: bucket.id, key })

/** Source and target. The caller may read the source; whether they may write the target is decided under its lock. */
const placesOf = async (ctx: Storage, me: Principal, from: ContentRef, to: Destination) => {
  const { bucket, object } = await authorizedObject(ctx, me, 'object.read', from)
  if (!object) return noObject()
  const { destinationBucketId } = to
  const targetBucket = destinationBucketId ? await bucketOf(ctx, me.orgId, destinationBucketId) : bucket
  return {
    object,
    source: placeIn(bucket, from.key),
    target: placeIn(targetBucket, checkKey(to.destinationKey, 'destinationKey')),
  }
}

type CopyOptions = {
  /** Instead of those of the original. */
  described?(
    original: store.ObjectHead,
  ): Partial<Pick<store.Content, 'content_type' | 'metadata' | 'headers' | 'tags'>>
  conditions?: WriteConditions
  keepsVersions?: boolean
  /** Throws if this is not the content that was meant. */
  check?(original: store.ObjectHead): void
}

export const copyObject = async (
  ctx: Storage,
  me: Principal,
  from: ContentRef,
  to: Destination,
  { described, conditions, keepsVersions, check }: CopyOptions = {},
) => {
  const { source, target, object } = await placesOf(ctx, me, from, to)
  const { versionId } = from
  const details = { fromBucketId: source.bucketId, fromKey: source.key }
  for (let original: store.ObjectHead | undefined = object; original; ) {
    check?.(original)
    const written = await writeObject(ctx, {
      writer: me,
      bucket: target.bucket,
      key: target.key,
      content: { ...store.contentOf(original), ...described?.(original) },
      conditions,
      keepsVersions,
      source: {
        bucketId: source.bucketId,
        key: source.key,
        id: original.id,
        versionId: original.version_id,
        isVersion: versionId !== undefined,
      },
      event: { action: 'object.copied', details, now: ctx.clock.now() },
    })
    if (written) return written
    original =
      versionId === undefined
        ? await store.findHead(ctx.db.sql, source)
        : await store.findVersion(ctx.db.sql, source, versionId)
  }
  return noObject()
}

/** Moves the object itself, with its id and its versions. An object that it replaces becomes part of its history. */
export const moveObject = async (ctx: Storage, me: Principal, from: ObjectRef, to: Destination) => {
  const { source, target, object } = await placesOf(ctx, me, from, to)
  await authorizedObject(ctx, me, 'object.delete', from)
  if (source.bucketId === target.bucketId && source.key === target.key)
    invalid('destinationKey', 'must be another place than the source')
  const details = { fromBucketId: source.bucketId, fromKey: source.key }
  const names = [source, target].map(keyName)
  const expected = await expectedAt(ctx, me, target)
  for (let moving: store.ObjectHead | undefined = object; moving; ) {
    const { id, version_id, content_type: contentType, size_bytes: size } = moving
    authorize(ctx, me, 'object.write', { ...target, contentType, size, objectId: expected.id ?? undefined })
    const row = {
      source_bucket: source.bucketId,
      source_key: source.key,
      source_id: id,
      source_version: version_id,
      bucket: target.bucketId,
      key: target.key,
      is_expected: expected.isExpected,
      expected_id: expected.id,
      audit_id: uuidv7(),
      actor: me.userId,
      ip: me.ip,
      payload: auditPayload({ bucketId: target.bucketId, key: target.key, size }, { details }),
      now: ctx.clock.now(),
    }
    const { refusal, replaced_id, ...moved } = await ctx.orRefuse(
      ctx.db.write((q) => writes.moveObject(q, me.orgId, names, row)),
    )
    if (refusal === 'object_changed') expected.id = replaced_id
    else if (refusal === 'source_changed') moving = await store.findHead(ctx.db.sql, source)
    else {
      refuseFor(refusal)
      for (const place of [source, target]) noteHeadChange(ctx, place)
      return { object: moved, created: replaced_id === null }
    }
  }
  return noObject()
}
