import type { Tx } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import { addBlob, type NewBlob, releaseBlobs, retainBlobs } from '../blobs/blobs.ts'
import { account, type Growth, holdBucket } from '../buckets/accounting.ts'
import type { Storage } from '../context.ts'
import { checkWrite, type WriteConditions } from './conditional.ts'
import { headChanged, lockNames } from './heads.ts'
import * as store from './store.ts'

export type Placement = {
  orgId: string
  bucketId: string
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
 * Puts a content under a key: the only way an object comes to be or changes. `also` runs in the same transaction,
 * before everything is counted, and answers how much more the bucket grows by it.
 */
export const place = async (
  ctx: Storage,
  tx: Tx,
  p: Placement,
  also: (placed: Placed) => Promise<unknown>,
): Promise<Placed> => {
  const { orgId, bucketId, key, content, now } = p
  await lockNames(tx, [[bucketId, key]])
  const bucket = await holdBucket(tx, orgId, bucketId)
  const old = await store.lockLive(tx, bucketId, key)
  if (p.conditions) checkWrite(p.conditions, old?.etag)
  const keep = p.keepReplaced || bucket.versioning
  const versionId = uuidv7()
  if (typeof p.bytes === 'object') await addBlob(tx, orgId, p.bytes.received, now)
  else if (p.bytes === 'shared') await retainBlobs(tx, content.blobs)
  const object = old
    ? await replace(ctx, tx, old, { ...p, versionId, keep })
    : await store.insertObject(tx, { id: uuidv7(), orgId, bucketId, key, versionId, now }, content)
  const placed = { object, versionId, created: !old }
  const more = await also(placed)
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

const replace = async (
  ctx: Storage,
  tx: Tx,
  old: Old,
  p: Placement & { versionId: string; keep: boolean },
) => {
  if (p.keep) await store.keepAsVersion(tx, old.id, p.now)
  else await releaseBlobs(tx, old.blobs, p.now)
  await headChanged(ctx, tx, p.bucketId, p.key)
  return store.replaceContent(tx, old.id, p.versionId, p.content, p.now)
}
