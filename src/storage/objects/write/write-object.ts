import type { Tx } from '#platform/db/database.ts'
import { pipeline } from '#platform/db/rows.ts'
import type { Statement } from '#platform/db/sql.ts'
import { notFound } from '#platform/errors.ts'
import { checkWrite, type WriteConditions } from '#platform/http/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { addBlob, type NewBlob, releaseBlobs, retainBlobs } from '../../blobs/blobs.ts'
import { authorize } from '../../buckets/authorize.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import { lockBucket, type UsageDelta } from '../../buckets/usage.ts'
import type { Storage } from '../../context.ts'
import type { Subject } from '../../policies/evaluate.ts'
import { headChanged, lockKeys } from '../heads.ts'
import { auditObject, type ObjectEvent } from '../objects.ts'
import * as store from '../store.ts'

/** The caller, or the signer of the URL that is being used. */
export type Writer = Subject & { orgId: string }

export type ObjectWrite = {
  writer: Writer
  bucket: BucketFacts
  key: string
  content: store.Content
  /** Where the bytes come from: a blob just received, blobs that other contents share, or parts that are taken over. */
  source: { received: NewBlob } | 'shared' | 'parts'
  conditions?: WriteConditions | undefined
  /** Keep the previous content as a version even if the bucket has no versioning. */
  keepPrevious?: boolean
  /** How the audit log describes the write. */
  event: ObjectEvent
}

export type Written = {
  object: store.ObjectRow
  versionId: string
  created: boolean
  /** To be passed to `applyUsage` at the end of the transaction. */
  usage: UsageDelta
}

/**
 * Stores a content under a key. Every object is created and changed here, and so this is where the policy is finally
 * evaluated, now that everything is known that it may refer to. The order of the statements is the order of the locks:
 * key, bucket, object, blobs, audit counters, and with `applyUsage` the counters of bucket and organization.
 */
export const writeObject = async (ctx: Storage, tx: Tx, write: ObjectWrite): Promise<Written> => {
  const { writer, bucket, key, content, event } = write
  const ref = { bucketId: bucket.id, key }
  const [, [locked], [previous]] = await pipeline(
    lockKeys(tx, [ref]),
    lockBucket(tx, bucket.orgId, bucket.id),
    store.lockLive(tx, ref),
  )
  const { versioning } = locked ?? notFound()
  const { content_type: contentType, size_bytes: size } = content
  authorize(ctx, writer, 'object.write', { bucket, key, contentType, size, objectId: previous?.id })
  if (write.conditions) checkWrite(write.conditions, previous?.etag)

  const keep = write.keepPrevious || versioning
  const object = describe(write, previous)
  const versionId = uuidv7()
  const change = { write, object, versionId }
  await pipeline(
    ...takeBytes(tx, write),
    ...(previous ? replace(tx, change, { previous, keep }) : [insert(tx, change)]),
    auditObject(tx, writer, object, event),
  )
  if (previous) await headChanged(ctx, tx, ref)
  return {
    object,
    versionId,
    created: !previous,
    usage: {
      bucketId: bucket.id,
      objects: previous ? 0 : 1,
      live: size - (previous?.size_bytes ?? 0),
      retained: size - (previous && !keep ? previous.size_bytes : 0),
    },
  }
}

/** The object as it will be; the database does not have to be asked. */
const describe = (
  { bucket, key, content, event }: ObjectWrite,
  previous: store.LockedObject | undefined,
): store.ObjectRow => {
  const { blobs: _, ...described } = content
  const time = event.now.toISOString()
  return {
    id: previous?.id ?? uuidv7(),
    bucket_id: bucket.id,
    object_key: key,
    ...described,
    is_deleted: false,
    created_at: previous?.created_at ?? time,
    updated_at: time,
  }
}

const takeBytes = (tx: Tx, { source, bucket, content, event }: ObjectWrite): Statement<unknown>[] => {
  if (typeof source === 'object') return [addBlob(tx, bucket.orgId, source.received, event.now)]
  return source === 'shared' ? [retainBlobs(tx, content.blobs)] : []
}

type Change = { write: ObjectWrite; object: store.ObjectRow; versionId: string }

const insert = (tx: Tx, { write, object, versionId }: Change) => {
  const { bucket, key, content, event } = write
  const { id: bucketId, orgId } = bucket
  return store.insertObject(tx, { id: object.id, orgId, bucketId, key, versionId, now: event.now }, content)
}

const replace = (
  tx: Tx,
  { write, object: { id }, versionId }: Change,
  { previous, keep }: { previous: store.LockedObject; keep: boolean },
): Statement<unknown>[] => {
  const { now } = write.event
  return [
    keep ? store.keepAsVersion(tx, id, now) : releaseBlobs(tx, previous.blobs, now),
    store.replaceContent(tx, { id, versionId, now }, write.content),
  ]
}
