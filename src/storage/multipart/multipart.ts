import { createHash } from 'node:crypto'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { RawRequest } from '#platform/http/bytes.ts'
import { uuidv7 } from '#platform/ids.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { addBlob, discardUncommitted, receiveBlob, releaseBlobs } from '../blobs/blobs.ts'
import { authorize, authorizedBucket, evaluate } from '../buckets/authorize.ts'
import { bucketCache, bucketOf } from '../buckets/lookup.ts'
import { applyUsage, holdBucket } from '../buckets/usage.ts'
import type { Principal, Storage } from '../context.ts'
import { checkKey } from '../objects/key.ts'
import { findObject } from '../objects/objects.ts'
import { announcedLength, checkMetadata, contentTypeOf, digestsOf } from '../objects/write/headers.ts'
import { writeObject } from '../objects/write/write-object.ts'
import { withReservation } from '../reservations/reservations.ts'
import { auditSession, expiryAt, failUpload } from './lifecycle.ts'
import type { Completion, NewMultipart } from './schema.ts'
import * as store from './store.ts'

const maxListed = 1000

export const initiate = async (ctx: Storage, me: Principal, bucketId: string, input: NewMultipart) => {
  const key = checkKey(input.objectKey)
  const contentType = contentTypeOf(input.contentType ?? undefined)
  const details = { bucketId, key, contentType, preflight: true }
  const bucket = await authorizedBucket(ctx, me, 'object.write', details)
  await requireActivePlan(ctx, me)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await holdBucket(tx, me.orgId, bucket.id)
    const session = await store.insertUpload(tx, {
      id: uuidv7(),
      orgId: me.orgId,
      bucketId: bucket.id,
      key,
      contentType,
      metadata: checkMetadata(input.metadata ?? {}),
      totalSize: input.totalSizeBytes ?? null,
      now,
    })
    await auditSession(tx, me, session, { action: 'multipart.initiated', now })
    return session
  })
}

/** The uploads that the caller could continue, and whose keys they may list. */
export const listUploads = async (ctx: Storage, me: Principal) => {
  const sessions = await store.listUploads(ctx.db.sql, me.orgId, expiryAt(ctx.clock.now()), maxListed)
  const visible = await Promise.all(
    sessions.map(async ({ bucketId, objectKey: key }) => {
      const bucket = await bucketCache(ctx).get(bucketId)
      const may = (action: 'object.list' | 'object.write') =>
        bucket && evaluate(ctx, me, action, { bucket, key, preflight: true }).allowed
      return may('object.list') && may('object.write')
    }),
  )
  return sessions.filter((_, index) => visible[index])
}

type UploadRef = store.UploadRef

const sessionFor = async (ctx: Storage, me: Principal, { bucketId, uploadId }: UploadRef) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const ref = { bucketId: bucket.id, uploadId }
  const session = (await store.findUpload(ctx.db.sql, ref, expiryAt(ctx.clock.now()))) ?? notFound()
  authorize(ctx, me, 'object.write', { bucket, key: session.objectKey, preflight: true })
  return { bucket, session, ref }
}

export const getSession = async (ctx: Storage, me: Principal, upload: UploadRef) => {
  const { session } = await sessionFor(ctx, me, upload)
  const parts = session.status === 'pending' ? await store.listParts(ctx.db.sql, session.uploadId) : []
  return { ...session, parts: parts.map(({ blob_id: _, ...part }) => part) }
}

const requirePending = ({ status }: store.SessionRow) => {
  if (status !== 'pending')
    conflict(status === 'failed' ? 'The upload has failed' : 'The upload is completed')
}

/** Stores a part. A part that was sent before is replaced only when the new one has arrived completely. */
export const putPart = async (
  ctx: Storage,
  me: Principal,
  { partNumber, ...upload }: UploadRef & { partNumber: number },
  { headers, body }: RawRequest,
) => {
  const { bucket, session, ref } = await sessionFor(ctx, me, upload)
  const { uploadId } = session
  requirePending(session)
  const announced = announcedLength(headers)
  const digests = digestsOf(headers)
  const replaces = {
    name: `${uploadId}/${partNumber}`,
    bytes: async () => (await store.findPart(ctx.db.sql, uploadId, partNumber))?.sizeBytes ?? 0,
  }
  const blob = await withReservation(ctx, { bucket, announced, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, grow }),
  )
  const { size, md5 } = blob
  try {
    await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now()
      const expiry = expiryAt(now)
      requirePending((await store.lockUpload(tx, ref, { expiry, purpose: 'part' })) ?? notFound())
      const previous = await store.lockPart(tx, uploadId, partNumber)
      await addBlob(tx, me.orgId, blob, now)
      await store.putPart(tx, { orgId: me.orgId, uploadId, partNumber, blobId: blob.id, size, md5 })
      if (previous) await releaseBlobs(tx, [previous.blob_id], now)
      const delta = { bucketId: bucket.id, retained: size - (previous?.sizeBytes ?? 0) }
      await applyUsage(tx, me.orgId, [delta], { now, checkLimits: true })
    })
  } catch (error) {
    await discardUncommitted(ctx, blob, error)
    throw error
  }
  return { partNumber, etag: md5.toString('hex'), sizeBytes: size }
}

/** The parts to be joined: all parts, or those that the client lists, which must match what was uploaded. */
const chosenParts = (known: store.PartRow[], asked: Completion['parts']): store.PartRow[] => {
  if (!asked) return known.length > 0 ? [...known] : invalid('parts', 'must be uploaded first')
  const byNumber = new Map(known.map((part) => [part.partNumber, part]))
  let last = 0
  return asked.map(({ partNumber, etag }, index) => {
    const field = `parts[${index}]`
    if (partNumber <= last) invalid(`${field}.partNumber`, `must be more than ${last}, the one before`)
    last = partNumber
    const part =
      byNumber.get(partNumber) ??
      invalid(`${field}.partNumber`, `must be a part that was uploaded, ${partNumber} was not`)
    if (part.etag !== etag.replace(/^"|"$/g, ''))
      invalid(`${field}.etag`, `must be ${part.etag}, which part ${partNumber} has`)
    return part
  })
}

const joinedEtag = (parts: store.PartRow[]) => {
  const hash = createHash('md5')
  for (const { etag } of parts) hash.update(etag, 'hex')
  return `${hash.digest('hex')}-${parts.length}`
}

/** The content of the joined parts: the list of their blobs, so that no byte is copied, however large they are. */
const contentOf = (session: store.LockedUpload, parts: store.PartRow[]) => {
  const size = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const { totalSizeBytes } = session
  if (totalSizeBytes !== null && totalSizeBytes !== size)
    invalid('totalSizeBytes', `is ${totalSizeBytes}, but the parts have ${size} bytes`)
  return {
    content_type: session.content_type,
    size_bytes: size,
    etag: joinedEtag(parts),
    metadata: session.metadata,
    blobs: parts.map(({ blob_id }) => blob_id),
  }
}

export const complete = async (
  ctx: Storage,
  me: Principal,
  upload: UploadRef,
  { parts: asked }: Completion,
) => {
  const { bucket, ref } = await sessionFor(ctx, me, upload)
  const { uploadId } = ref
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const expiry = expiryAt(now)
    const session = (await store.lockUpload(tx, ref, { expiry, purpose: 'end' })) ?? notFound()
    if (session.status === 'completed') {
      const object = session.object_id && (await findObject(tx, session.object_id))
      return { object: object || conflict('The object of this upload is no longer there'), created: false }
    }
    requirePending(session)
    const content = contentOf(session, chosenParts(await store.listParts(tx, uploadId), asked))
    const { object, versionId, usage } = await writeObject(ctx, tx, {
      writer: me,
      bucket,
      key: session.objectKey,
      content,
      source: 'parts',
      event: { action: 'object.uploaded', now },
    })
    const taken = new Set(content.blobs)
    const parts = await store.deleteParts(tx, uploadId)
    const unused = parts.map(({ blob_id }) => blob_id).filter((id) => !taken.has(id))
    await releaseBlobs(tx, unused, now)
    await store.endUpload(tx, uploadId, { status: 'completed', object: { id: object.id, versionId }, now })
    await auditSession(tx, me, session, { action: 'multipart.completed', now })
    const freed = parts.reduce((sum, part) => sum + part.size, 0)
    const delta = { ...usage, retained: usage.retained - freed }
    await applyUsage(tx, me.orgId, [delta], { now, checkLimits: true })
    return { object, created: true }
  })
}

export const abort = async (ctx: Storage, me: Principal, upload: UploadRef) => {
  const { ref } = await sessionFor(ctx, me, upload)
  await ctx.db.transaction(async (tx) => {
    const expiry = expiryAt(ctx.clock.now())
    const session = (await store.lockUpload(tx, ref, { expiry, purpose: 'end' })) ?? notFound()
    if (session.status === 'completed') conflict('The upload is completed')
    if (session.unended) await failUpload(ctx, tx, me, session)
  })
}
