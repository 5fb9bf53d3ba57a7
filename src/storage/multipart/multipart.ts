import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Sql } from '#platform/db/database.ts'
import { conflict, invalid } from '#platform/errors.ts'
import type { RawRequest } from '#platform/http/response/bytes.ts'
import type { WriteConditions } from '#platform/http/response/conditional.ts'
import { uuidv7 } from '#platform/ids.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { type Digest, discardUncommitted, receiveBlob } from '../blobs/blobs.ts'
import { authorize, authorizedBucket, evaluate } from '../buckets/authorize.ts'
import { bucketCache, bucketOf } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import { checkKey } from '../objects/key.ts'
import {
  type Checksum,
  findContent,
  findObject,
  type KeptHeaders,
  type VersionId,
} from '../objects/objects.ts'
import {
  announcedLength,
  checkMetadata,
  contentTypeOf,
  digestsOf,
  keptInFields,
  refuseRange,
} from '../objects/write/headers.ts'
import { type ObjectWrite, writeWith } from '../objects/write/write.ts'
import { noUpload } from '../refusals.ts'
import { withReservation } from '../reservations/reservations.ts'
import type { Tags } from '../tags/tags.ts'
import { expiriesIn, expiryFor, failUpload, withPresentStatus } from './ending.ts'
import type { Completion, NewMultipart } from './schema.ts'
import * as store from './store.ts'

const maxListed = 1000

export type { ChecksumPlan, PartRow } from './store.ts'

export const initiate = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  {
    checksum = null,
    kept,
    tags = [],
    ...input
  }: NewMultipart & { checksum?: store.ChecksumPlan | null; kept?: KeptHeaders; tags?: Tags },
) => {
  const key = checkKey(input.objectKey)
  const contentType = contentTypeOf(input.contentType ?? undefined)
  const details = { bucketId, key, contentType, preflight: true }
  const bucket = await authorizedBucket(ctx, me, 'object.write', details)
  await requireActivePlan(ctx, me)
  const upload = {
    id: uuidv7(),
    orgId: me.orgId,
    bucketId: bucket.id,
    key,
    contentType,
    metadata: checkMetadata(input.metadata ?? {}),
    headers: kept ?? keptInFields(input),
    tags,
    checksum,
    totalSize: input.totalSizeBytes ?? null,
    now: ctx.clock.now(),
    audit: auditOf(me),
  }
  return ctx.orRefuse(ctx.db.write((q) => store.startUpload(q, upload)))
}

const auditOf = ({ userId: actor, ip }: Principal) => ({ id: uuidv7(), actor, ip })

/** Says what is copied with an upload, for whoever continues it after an interruption. */
export const nameSource = (ctx: Storage, upload: UploadRef, source: string) =>
  ctx.db.write((q) => store.setSource(q, upload, source))

/** Uploads of a key that were interrupted while something was copied with them. */
export const interruptedUploads = (ctx: Storage, bucketId: string, key: string) =>
  store.findSources(ctx.db.sql, bucketId, key)

/** The uploads that the caller could continue, and whose keys they may list. */
export const listUploads = async (ctx: Storage, me: Principal) => {
  const stored = await store.listUploads(ctx.db.sql, me.orgId, maxListed)
  const sessions = await Promise.all(stored.map((session) => withPresentStatus(ctx, session)))
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

/** Uploads of a bucket that are pending, one page in the order of their keys. */
export const listPending = async (ctx: Storage, me: Principal, bucketId: string, page: store.PendingPage) => {
  const bucket = await authorizedBucket(ctx, me, 'object.list', { bucketId, prefix: page.prefix })
  return store.listPending(ctx.db.sql, bucket.id, { ...page, expiries: await expiriesIn(ctx, bucket.id) })
}

export type UploadRef = store.UploadRef

const sessionFor = async <S extends store.SessionRow>(
  ctx: Storage,
  me: Principal,
  { bucketId, uploadId }: UploadRef,
  find: (q: Sql, ref: UploadRef) => Promise<S | undefined>,
) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const ref = { bucketId: bucket.id, uploadId }
  const session = await withPresentStatus(ctx, (await find(ctx.db.sql, ref)) ?? noUpload())
  authorize(ctx, me, 'object.write', { bucket, key: session.objectKey, preflight: true })
  return { bucket, session, ref }
}

/** An upload with all that is known of it and of its parts. */
export const describeUpload = async (ctx: Storage, me: Principal, upload: UploadRef) =>
  (await sessionFor(ctx, me, upload, store.findWithParts)).session

export const getSession = async (ctx: Storage, me: Principal, upload: UploadRef) => {
  const { session } = await sessionFor(ctx, me, upload, store.findWithParts)
  const { uploadId, objectKey, bucketId, totalSizeBytes, status, created_at } = session
  const parts = status === 'pending' ? session.parts.map(shown) : []
  return { uploadId, objectKey, bucketId, totalSizeBytes, status, created_at, parts }
}

const shown = ({ partNumber, etag, sizeBytes }: store.PartRow) => ({ partNumber, etag, sizeBytes })

const requirePending = ({ status }: Pick<store.SessionRow, 'status'>) => {
  if (status !== 'pending')
    conflict(status === 'failed' ? 'The upload has failed' : 'The upload is completed')
}

type PartRef = UploadRef & { partNumber: number }

/** Stores a raw body as a part. */
export const putPart = (ctx: Storage, me: Principal, part: PartRef, { headers, body }: RawRequest) =>
  putPartBody(ctx, me, part, {
    announced: announcedLength(headers),
    digests: () => {
      refuseRange(headers)
      return digestsOf(headers)
    },
    body,
    isReceived: true,
  })

type PartBody = {
  announced: number | undefined
  digests(): Digest[]
  body: Readable | null
  /** Whether the body is that of a request. Others may hold what is copied from an object. */
  isReceived: boolean
  /** What the body was verified with, known when all of it has arrived. */
  checksum?(): Checksum
}

/** Stores a part. A part that was sent before is replaced only when the new one has arrived completely. */
export const putPartBody = async (
  ctx: Storage,
  me: Principal,
  { partNumber, ...upload }: PartRef,
  { announced, body, ...sent }: PartBody,
) => {
  const { bucket, session, ref } = await sessionFor(ctx, me, upload, store.findUpload)
  const { uploadId } = session
  requirePending(session)
  const digests = sent.digests()
  const replaces = {
    name: `${uploadId}/${partNumber}`,
    effect: async () => ({
      bytes: await store.findPartSize(ctx.db.sql, uploadId, partNumber),
      more: 0,
    }),
  }
  const blob = await withReservation(ctx, { bucket, announced, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, grow, ownsChunks: sent.isReceived }),
  )
  const { size, md5 } = blob
  const checksum = sent.checksum?.() ?? null
  const now = ctx.clock.now()
  try {
    const expiry = await expiryFor(ctx, session, now)
    const part = { ...ref, orgId: me.orgId, partNumber, blob, checksum, expiry, now }
    const status = await ctx.orRefuse(ctx.db.write((q) => store.putPart(q, part)))
    requirePending({ status: status ?? noUpload() })
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
const contentOf = (session: store.FoundUpload, parts: store.PartRow[], checksum: Checksum | null) => {
  const size = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const { totalSizeBytes } = session
  if (totalSizeBytes !== null && totalSizeBytes !== size)
    invalid('totalSizeBytes', `is ${totalSizeBytes}, but the parts have ${size} bytes`)
  return {
    content_type: session.content_type,
    size_bytes: size,
    etag: joinedEtag(parts),
    metadata: session.metadata,
    headers: session.headers,
    tags: session.tags,
    checksum,
    blobs: parts.map(({ blob_id }) => blob_id),
  }
}

type CompletionOptions = {
  conditions?: WriteConditions
  keepsVersions?: boolean
  /** The checksum of the object, from those of its parts. */
  checksumOf?(
    upload: { checksum: store.ChecksumPlan | null },
    parts: readonly store.PartRow[],
  ): Checksum | null
}

export const complete = async (
  ctx: Storage,
  me: Principal,
  upload: UploadRef,
  { parts: asked, conditions, keepsVersions, checksumOf }: Completion & CompletionOptions,
) => {
  for (;;) {
    const { bucket, session, ref } = await sessionFor(ctx, me, upload, store.findWithParts)
    if (session.status === 'completed') {
      const object = session.object_id && (await findObject(ctx.db.sql, session.object_id))
      return {
        object: object || conflict('The object of this upload is no longer there'),
        created: false,
        versionId: await versionOf(ctx, session),
      }
    }
    requirePending(session)
    const { parts } = session
    const chosen = chosenParts(parts, asked)
    const content = contentOf(session, chosen, checksumOf?.(session, chosen) ?? null)
    const now = ctx.clock.now()
    const write: ObjectWrite = {
      writer: me,
      bucket,
      key: session.objectKey,
      content,
      freed: { bytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0), uploads: 1 },
      conditions,
      keepsVersions,
      event: { action: 'object.uploaded', now },
    }
    const audit = auditOf(me)
    const expiry = await expiryFor(ctx, session, now)
    const completion = { ...ref, orgId: me.orgId, parts, expiry, now, audit }
    const written = await writeWith(ctx, write, (item) =>
      ctx.db.write((q) => store.completeUpload(q, { ...completion, write: item })),
    )
    // Otherwise the upload or one of its parts has changed meanwhile.
    if (written) return { ...written, created: true }
  }
}

/** The version that an upload has become. */
const versionOf = async (
  ctx: Storage,
  { bucketId, objectKey: key, version_id: versionId }: store.FoundUpload,
): Promise<VersionId> => {
  const content = versionId === null ? undefined : await findContent(ctx, { bucketId, key, versionId })
  return content?.unversioned ? null : versionId
}

export const abort = async (ctx: Storage, me: Principal, upload: UploadRef) => {
  const { ref } = await sessionFor(ctx, me, upload, store.findUpload)
  await ctx.db.transaction(async (tx) => {
    const session = (await store.lockUpload(tx, ref)) ?? noUpload()
    if (session.status === 'completed') conflict('The upload is completed')
    if (session.status === 'pending') await failUpload(ctx, tx, me, session)
  })
}
