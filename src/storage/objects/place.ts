import type { Tx } from '#platform/db/database.ts'
import { checkWrite, type WriteConditions } from '#platform/http/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { addBlob, type NewBlob, releaseBlobs, retainBlobs } from '../blobs/blobs.ts'
import { account, type Growth, holdBucket } from '../buckets/accounting.ts'
import type { BucketFacts, Storage } from '../context.ts'
import { demand } from '../policies/authorize.ts'
import type { Subject } from '../policies/evaluate.ts'
import { headChanged, lockNames } from './heads.ts'
import * as store from './store.ts'

/** The caller, or whoever signed the address that is being used. */
export type Writer = Subject & { orgId: string }

export type Placement = {
  writer: Writer
  bucket: BucketFacts
  key: string
  content: store.Content
  /** Where the bytes come from: a blob just received, blobs that other contents hold, or parts to be taken over. */
  bytes: { received: NewBlob } | 'shared' | 'taken'
  conditions?: WriteConditions
  /** The replaced content stays a version whatever the bucket says. */
  keepReplaced?: boolean
  now: Date
}

export type Placed = { object: store.ObjectRow; versionId: string; created: boolean }

/**
 * Puts a content under a key: the only way an object comes to be or changes, and so where it is finally decided
 * whether this writer may, now that all is known that a policy may ask about. `also` runs in the same transaction,
 * before everything is counted, and may answer by how many bytes more the bucket grows by it.
 *
 * Statements that need nothing of each other's answers are sent together. They run in the order in which they are
 * called, as long as each function begins with its statement.
 */
export const place = async (
  ctx: Storage,
  tx: Tx,
  p: Placement,
  also: (placed: Placed) => Promise<unknown>,
): Promise<Placed> => {
  const { writer, key, content, now } = p
  const { id: bucketId, orgId } = p.bucket
  const [, held, old] = await Promise.all([
    lockNames(tx, [[bucketId, key]]),
    holdBucket(tx, orgId, bucketId),
    store.lockLive(tx, bucketId, key),
  ])
  const { content_type: contentType, size_bytes: size } = content
  demand(ctx, writer, p.bucket, 'object.write', { key, contentType, size, objectId: old?.id })
  if (p.conditions) checkWrite(p.conditions, old?.etag)
  const keep = p.keepReplaced || held.versioning
  const placed: Placed = { object: rowOf(p, old), versionId: uuidv7(), created: !old }
  const { object, versionId } = placed
  const [, , more] = await Promise.all([
    takeBytes(tx, p),
    old
      ? replace(ctx, tx, old, { ...p, versionId, keep })
      : store.insertObject(tx, { id: object.id, orgId, bucketId, key, versionId, now }, content),
    also(placed),
  ])
  const growth: Growth = {
    bucketId,
    objects: old ? 0 : 1,
    live: content.size_bytes - (old?.size_bytes ?? 0),
    retained:
      content.size_bytes - (old && !keep ? old.size_bytes : 0) + (typeof more === 'number' ? more : 0),
  }
  await account(tx, orgId, [growth], { now, write: true })
  return placed
}

type Old = NonNullable<Awaited<ReturnType<typeof store.lockLive>>>

/** The object as it will be: all of it is known without asking the database again. */
const rowOf = ({ bucket, key, content, now }: Placement, old: Old | undefined): store.ObjectRow => {
  const { blobs: _, ...described } = content
  const time = now.toISOString()
  return {
    id: old?.id ?? uuidv7(),
    bucket_id: bucket.id,
    object_key: key,
    ...described,
    is_deleted: false,
    created_at: old?.created_at ?? time,
    updated_at: time,
  }
}

const takeBytes = async (tx: Tx, { bytes, bucket, content, now }: Placement) => {
  if (typeof bytes === 'object') await addBlob(tx, bucket.orgId, bytes.received, now)
  else if (bytes === 'shared') await retainBlobs(tx, content.blobs)
}

const replace = (ctx: Storage, tx: Tx, old: Old, p: Placement & { versionId: string; keep: boolean }) =>
  Promise.all([
    p.keep ? store.keepAsVersion(tx, old.id, p.now) : releaseBlobs(tx, old.blobs, p.now),
    store.replaceContent(tx, old.id, p.versionId, p.content, p.now),
    headChanged(ctx, tx, p.bucket.id, p.key),
  ])
