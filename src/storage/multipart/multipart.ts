import { createHash } from 'node:crypto'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { expecting } from '../arrivals/arrivals.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { addBlob, keepingBlob, receiveBlob, releaseBlobs } from '../blobs/blobs.ts'
import { account, holdBucket } from '../buckets/accounting.ts'
import type { Principal, Storage } from '../context.ts'
import {
  announcedLength,
  checkMetadata,
  contentTypeOf,
  digestsOf,
  type RawRequest,
} from '../objects/headers.ts'
import { checkKey } from '../objects/key.ts'
import { auditObject, findObject } from '../objects/objects.ts'
import { place } from '../objects/place.ts'
import { bucketFor, bucketOf, decide, demand } from '../policies/authorize.ts'
import { auditSession, expiryAt, fail } from './ending.ts'
import type { Completion, NewMultipart } from './schema.ts'
import * as store from './store.ts'

const maxListed = 1000

export const initiate = async (ctx: Storage, me: Principal, bucketId: string, input: NewMultipart) => {
  const key = checkKey(input.objectKey)
  const contentType = contentTypeOf(input.contentType ?? undefined)
  const bucket = await bucketFor(ctx, me, bucketId, 'object.write', { key, contentType, tentative: true })
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
    await auditSession(tx, me, 'multipart.initiated', session, now)
    return session
  })
}

/** Those that the caller could go on with, and whose keys are not hidden from them. */
export const listUploads = async (ctx: Storage, me: Principal) => {
  const sessions = await store.listUploads(ctx.db.sql, me.orgId, expiryAt(ctx.clock.now()), maxListed)
  const seen = await Promise.all(
    sessions.map(async ({ bucketId, objectKey }) => {
      const bucket = await ctx.buckets.get(bucketId)
      const may = (action: 'object.list' | 'object.write') =>
        bucket && decide(ctx, me, bucket, action, { key: objectKey, tentative: true }).allowed
      return may('object.list') && may('object.write')
    }),
  )
  return sessions.filter((_, index) => seen[index])
}

const sessionFor = async (ctx: Storage, me: Principal, bucketId: string, uploadId: string) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const session =
    (await store.findUpload(ctx.db.sql, bucket.id, uploadId, expiryAt(ctx.clock.now()))) ?? notFound()
  demand(ctx, me, bucket, 'object.write', { key: session.objectKey, tentative: true })
  return { bucket, session }
}

export const getSession = async (ctx: Storage, me: Principal, bucketId: string, uploadId: string) => {
  const { session } = await sessionFor(ctx, me, bucketId, uploadId)
  const parts = session.status === 'pending' ? await store.listParts(ctx.db.sql, session.uploadId) : []
  return { ...session, parts: parts.map(({ blob_id: _, ...part }) => part) }
}

const pendingOnly = ({ status }: store.SessionRow) => {
  if (status !== 'pending')
    conflict(status === 'failed' ? 'The upload has failed' : 'The upload is completed')
}

/** A part that is sent again replaces the one before only now that it is whole. */
export const putPart = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  uploadId: string,
  n: number,
  { headers, body }: RawRequest,
) => {
  const { bucket, session } = await sessionFor(ctx, me, bucketId, uploadId)
  pendingOnly(session)
  const announced = announcedLength(headers)
  const digests = digestsOf(headers)
  const replaces = {
    name: `${session.uploadId}/${n}`,
    bytes: async () => (await store.findPart(ctx.db.sql, session.uploadId, n))?.sizeBytes ?? 0,
  }
  const blob = await expecting(ctx, { bucket, announced, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, grow }),
  )
  await keepingBlob(ctx, blob, () =>
    ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now()
      const expiry = expiryAt(now)
      pendingOnly((await store.lockUpload(tx, bucket.id, uploadId, { expiry, how: 'part' })) ?? notFound())
      const old = await store.lockPart(tx, uploadId, n)
      await addBlob(tx, me.orgId, blob, now)
      await store.putPart(tx, {
        orgId: me.orgId,
        uploadId,
        n,
        blobId: blob.id,
        size: blob.size,
        md5: blob.md5,
      })
      if (old) await releaseBlobs(tx, [old.blob_id], now)
      const retained = blob.size - (old?.sizeBytes ?? 0)
      await account(tx, me.orgId, [{ bucketId: bucket.id, objects: 0, live: 0, retained }], {
        now,
        write: true,
      })
    }),
  )
  return { partNumber: n, etag: blob.md5.toString('hex'), sizeBytes: blob.size }
}

/** The parts to be joined: all there are, or those that the client lists, which must be there as it says. */
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

/** The object becomes the list of the parts' blobs: however large, no byte is copied. */
export const complete = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  uploadId: string,
  { parts: asked }: Completion,
) => {
  const { bucket } = await sessionFor(ctx, me, bucketId, uploadId)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const expiry = expiryAt(now)
    const session = (await store.lockUpload(tx, bucket.id, uploadId, { expiry, how: 'end' })) ?? notFound()
    if (session.status === 'completed') {
      const object = session.object_id && (await findObject(tx, session.object_id))
      return { object: object || conflict('The object of this upload is no longer there'), created: false }
    }
    pendingOnly(session)
    const known = await store.listParts(tx, uploadId)
    const parts = chosenParts(known, asked)
    const size = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
    if (session.totalSizeBytes !== null && session.totalSizeBytes !== size)
      invalid('totalSizeBytes', `is ${session.totalSizeBytes}, but the parts have ${size} bytes`)
    const content = {
      content_type: session.content_type,
      size_bytes: size,
      etag: joinedEtag(parts),
      metadata: session.metadata,
      blobs: parts.map(({ blob_id }) => blob_id),
    }
    const used = new Set(content.blobs)
    const spot = { writer: me, bucket, key: session.objectKey }
    const { object } = await place(ctx, tx, { ...spot, content, bytes: 'taken', now }, async (placed) => {
      const gone = await store.deleteParts(tx, uploadId)
      const unused = gone.filter(({ blob_id }) => !used.has(blob_id)).map(({ blob_id }) => blob_id)
      await releaseBlobs(tx, unused, now)
      const { object, versionId } = placed
      await store.endUpload(tx, uploadId, 'completed', { id: object.id, versionId }, now)
      await auditSession(tx, me, 'multipart.completed', session, now)
      await auditObject(tx, me, 'object.uploaded', object, now)
      return -gone.reduce((sum, part) => sum + part.size, 0)
    })
    return { object, created: true }
  })
}

export const abort = async (ctx: Storage, me: Principal, bucketId: string, uploadId: string) => {
  const { bucket } = await sessionFor(ctx, me, bucketId, uploadId)
  await ctx.db.transaction(async (tx) => {
    const expiry = expiryAt(ctx.clock.now())
    const session = (await store.lockUpload(tx, bucket.id, uploadId, { expiry, how: 'end' })) ?? notFound()
    if (session.status === 'completed') conflict('The upload is completed')
    if (session.unended) await fail(ctx, tx, me, session)
  })
}
