import type { Tx } from '#platform/db/database.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { checkWrite, unconditional, type WriteConditions } from '#platform/http/conditional.ts'
import { recordAudit } from '../audit/audit.ts'
import { keepingBlob, type NewBlob } from '../blobs/blobs.ts'
import { account, holdBucket } from '../buckets/accounting.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { bucketFor, demand } from '../policies/authorize.ts'
import { headChanged, headOf, lockNames } from './heads.ts'
import { place, type Writer } from './place.ts'
import { purgeKey } from './purge.ts'
import * as store from './store.ts'

export type { Metadata, ObjectHead } from './store.ts'

export type Upload = {
  key: string
  contentType: string
  metadata: store.Metadata
  blob: NewBlob
  conditions?: WriteConditions
}

/** Who is named in the audit log, where it is not a signed-in caller. */
export type Actor = Pick<Principal, 'orgId' | 'ip'> & { userId: string | null }

export const auditObject = (
  tx: Tx,
  actor: Actor,
  action: string,
  object: Pick<store.ObjectRow, 'id' | 'bucket_id' | 'object_key' | 'size_bytes'>,
  now: Date,
  more: Record<string, string | number> = {},
) =>
  recordAudit(tx, actor, {
    action,
    resourceType: 'object',
    resourceId: object.id,
    payload: {
      bucketId: object.bucket_id,
      objectKey: object.object_key,
      sizeBytes: object.size_bytes,
      ...more,
    },
    now,
  })

/** Makes received bytes an object; if that is refused, they go. */
export const storeUpload = (ctx: Storage, writer: Writer, bucket: BucketFacts, upload: Upload) =>
  keepingBlob(ctx, upload.blob, () =>
    ctx.db.transaction((tx) => {
      const now = ctx.clock.now()
      const { blob, key, contentType, metadata, conditions } = upload
      const content = {
        content_type: contentType,
        size_bytes: blob.size,
        etag: blob.md5.toString('hex'),
        metadata,
        blobs: [blob.id],
      }
      return place(
        ctx,
        tx,
        {
          writer,
          bucket,
          key,
          content,
          bytes: { received: blob },
          now,
          ...(conditions ? { conditions } : {}),
        },
        ({ object }) => auditObject(tx, writer, 'object.uploaded', object, now),
      )
    }),
  )

/** The live object of a key, or one of its versions. */
export const findContent = async (
  ctx: Storage,
  bucket: BucketFacts,
  key: string,
  versionId?: string,
): Promise<store.ObjectHead | undefined> =>
  versionId === undefined
    ? headOf(ctx, bucket.id, key)
    : store.findVersion(ctx.db.sql, bucket.id, key, versionId)

/** As it is now, whatever its key. */
export const findObject = (tx: Tx, id: string) => store.findObject(tx, id)

export const aboutObject = (
  object: Pick<store.ObjectHead, 'id' | 'size_bytes' | 'content_type'> | undefined,
  key: string,
) => ({
  key,
  objectId: object?.id,
  size: object?.size_bytes,
  contentType: object?.content_type,
})

/** Which object a policy would know under this key; asked only where there is a policy. */
export const objectIdAt = async (ctx: Storage, bucket: BucketFacts, key: string) =>
  bucket.policy.length > 0 ? (await headOf(ctx, bucket.id, key))?.id : undefined

/** The bucket and what is live under the key, once the action is allowed on it. */
export const objectFor = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  action: 'object.read' | 'object.delete',
  versionId?: string,
) => {
  const bucket = await bucketFor(ctx, me, bucketId, action, { key, tentative: true })
  const object = await findContent(ctx, bucket, key, versionId)
  demand(ctx, me, bucket, action, aboutObject(object, key))
  return { bucket, object }
}

const softDelete = async (
  ctx: Storage,
  tx: Tx,
  me: Principal,
  [bucketId, key]: [bucketId: string, key: string],
  conditions: WriteConditions,
) => {
  const now = ctx.clock.now()
  await lockNames(tx, [[bucketId, key]])
  await holdBucket(tx, me.orgId, bucketId)
  const live = (await store.lockLive(tx, bucketId, key)) ?? notFound()
  checkWrite(conditions, live.etag)
  const object = await store.markDeleted(tx, live.id, true, now)
  await auditObject(tx, me, 'object.deleted', object, now)
  await headChanged(ctx, tx, bucketId, key)
  await account(tx, me.orgId, [{ bucketId, objects: -1, live: -live.size_bytes, retained: 0 }], {
    now,
    write: false,
  })
  return object
}

export const deleteObject = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  conditions: WriteConditions = unconditional,
) => {
  const { bucket } = await objectFor(ctx, me, bucketId, key, 'object.delete')
  return ctx.db.transaction((tx) => softDelete(ctx, tx, me, [bucket.id, key], conditions))
}

export const purgeObject = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  conditions: WriteConditions,
) => {
  const bucket = await bucketFor(ctx, me, bucketId, 'object.purge', { key, tentative: true })
  return purgeKey(ctx, me, bucket, key, conditions)
}

export const recoverObject = async (ctx: Storage, me: Principal, bucketId: string, key: string) => {
  const bucket = await bucketFor(ctx, me, bucketId, 'object.recover', { key, tentative: true })
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockNames(tx, [[bucket.id, key]])
    await holdBucket(tx, me.orgId, bucket.id)
    const live = await store.lockLive(tx, bucket.id, key)
    const deleted = await store.lockDeleted(tx, bucket.id, key)
    if (!deleted) return live ? conflict('The object is not deleted') : notFound()
    demand(ctx, me, bucket, 'object.recover', aboutObject(deleted, key))
    if (live) conflict('A live object has taken this key')
    const object = await store.markDeleted(tx, deleted.id, false, now)
    await auditObject(tx, me, 'object.recovered', object, now)
    await account(tx, me.orgId, [{ bucketId: bucket.id, objects: 1, live: object.size_bytes, retained: 0 }], {
      now,
      write: true,
    })
    return object
  })
}
