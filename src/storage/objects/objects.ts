import type { Tx } from '#platform/db/database.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import { authorize, authorizedBucket } from '../buckets/authorize.ts'
import type { BucketFacts } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import { headOf } from './heads.ts'
import type { ObjectRef } from './key.ts'
import * as store from './store.ts'

export {
  type Checksum,
  findObject,
  type KeptHeaders,
  type Metadata,
  type ObjectHead,
  type VersionId,
} from './store.ts'

/** The current content of a key, or one of its versions. */
export type ContentRef = ObjectRef & { versionId?: store.VersionId | undefined }

type Audited = Pick<store.ObjectRow, 'id' | 'bucket_id' | 'object_key' | 'size_bytes'>
export type ObjectEvent = { action: string; details?: Record<string, string | number>; now: Date }

export const auditPayload = (
  { bucketId, key, size }: ObjectRef & { size: number },
  { details }: Pick<ObjectEvent, 'details'>,
) => ({ bucketId, objectKey: key, sizeBytes: size, ...details })

export const auditObject = (tx: Tx, actor: Actor, object: Audited, event: ObjectEvent) => {
  const { id, bucket_id: bucketId, object_key: key, size_bytes: size } = object
  const { action, now } = event
  const payload = auditPayload({ bucketId, key, size }, event)
  return recordAudit(tx, actor, { action, resourceType: 'object', resourceId: id, payload, now })
}

/** The live object of a key, or one of its versions. */
export const findContent = async (
  ctx: Storage,
  { versionId, ...ref }: ContentRef,
): Promise<store.ObjectHead | undefined> =>
  versionId === undefined ? headOf(ctx, ref) : store.findVersion(ctx.db.sql, ref, versionId)

/** What a policy may ask about an object. */
export const aboutObject = (
  object: Pick<store.ObjectHead, 'id' | 'size_bytes' | 'content_type'> | undefined,
  key: string,
) => ({
  key,
  objectId: object?.id,
  size: object?.size_bytes,
  contentType: object?.content_type,
})

/** The id of the live object of a key, for the policy. Not looked up if the bucket has no policy. */
export const objectIdAt = async (ctx: Storage, bucket: BucketFacts, key: string) =>
  bucket.policy.length > 0 ? (await headOf(ctx, { bucketId: bucket.id, key }))?.id : undefined

/** The bucket and the content under a key, if the caller may do this with it; throws 404 or 403 otherwise. */
export const authorizedObject = async (
  ctx: Storage,
  me: Principal,
  action: 'object.read' | 'object.write' | 'object.delete',
  { bucketId, key, versionId }: ContentRef,
) => {
  const bucket = await authorizedBucket(ctx, me, action, { bucketId, key, preflight: true })
  const object = await findContent(ctx, { bucketId: bucket.id, key, versionId })
  authorize(ctx, me, action, { bucket, ...aboutObject(object, key) })
  return { bucket, object }
}
