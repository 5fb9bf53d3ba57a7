import type { Readable } from 'node:stream'
import type { RawRequest } from '#platform/http/bytes.ts'
import {
  checkWrite,
  isConditional,
  type WriteConditions,
  writeConditions,
} from '#platform/http/conditional.ts'
import { type Digest, discardUncommitted, type NewBlob, receiveBlob } from '../../blobs/blobs.ts'
import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { refuseNothingToMatch } from '../../refusals.ts'
import { withReservation } from '../../reservations/reservations.ts'
import type { Tags } from '../../tags/tags.ts'
import { headOf } from '../heads.ts'
import type { Checksum, KeptHeaders, Metadata } from '../objects.ts'
import { findHead } from '../store.ts'
import { type IncomingForm, readForm } from './form.ts'
import {
  announcedLength,
  contentTypeOf,
  digestsOf,
  metadataInHeaders,
  type Promised,
  refuseRange,
} from './headers.ts'
import { keptInHeaders } from './kept-headers.ts'
import { type Writer, type Written, writeObject } from './write-object.ts'

/** An upload whose bytes were received, but which is not an object yet. */
export type Upload = {
  bucket: BucketFacts
  key: string
  contentType: string
  metadata: Metadata
  /** To be sent with every download. */
  kept?: KeptHeaders
  tags?: Tags
  blob: NewBlob
  checksum?: Checksum | null
  conditions?: WriteConditions
  keepsVersions?: boolean | undefined
}

/** Makes received bytes an object. If that is refused, the bytes are removed. */
export const storeUpload = async (ctx: Storage, writer: Writer, upload: Upload) => {
  const { bucket, key, blob, conditions, keepsVersions } = upload
  const content = {
    content_type: upload.contentType,
    size_bytes: blob.size,
    etag: blob.md5.toString('hex'),
    metadata: upload.metadata,
    headers: upload.kept ?? {},
    tags: upload.tags ?? [],
    checksum: upload.checksum ?? null,
    blobs: [blob.id],
  }
  try {
    const event = { action: 'object.uploaded', now: ctx.clock.now() }
    const written = await writeObject(ctx, {
      writer,
      bucket,
      key,
      content,
      received: blob,
      conditions,
      keepsVersions,
      event,
    })
    return written as Written // there is no source that could have changed
  } catch (error) {
    await discardUncommitted(ctx, blob, error)
    throw error
  }
}

type RawUpload = RawRequest & { bucket: BucketFacts; key: string; max?: number | undefined }

/** Stores a raw body under the key in its URL. */
export const uploadRaw = (ctx: Storage, writer: Writer, { bucket, key, headers, body, max }: RawUpload) =>
  uploadBody(ctx, writer, {
    bucket,
    key,
    contentType: contentTypeOf(headers['content-type'] as string | undefined),
    metadata: () => {
      refuseRange(headers)
      return metadataInHeaders(headers)
    },
    kept: () => keptInHeaders(headers),
    announced: announcedLength(headers),
    digests: () => digestsOf(headers),
    checksum: () => checksumIn(digestsOf(headers)),
    conditions: writeConditions(headers),
    body,
    max,
  })

/** A SHA-256 is kept once the body was verified with it; the MD5 is the entity tag anyway. */
export const checksumIn = (digests: Promised[]): Checksum | null => {
  const sha256 = digests.find(({ algorithm }) => algorithm === 'SHA256')
  return sha256
    ? { algorithm: 'SHA256', value: sha256.expected.toString('base64'), type: 'FULL_OBJECT' }
    : null
}

type BodyUpload = {
  bucket: BucketFacts
  key: string
  contentType: string
  /** Read from the request once it is clear that the caller may write. */
  metadata(): Metadata
  kept(): KeptHeaders
  tags?(): Tags
  announced: number | undefined
  digests(): Digest[]
  conditions: WriteConditions
  keepsVersions?: boolean
  /** Of a request, so that nobody else holds what arrives. */
  body: Readable | null
  max?: number | undefined
  /** What the body was verified with, known when all of it has arrived. */
  checksum?(): Checksum | null
}

/** Stores a body as an object. */
export const uploadBody = async (ctx: Storage, writer: Writer, upload: BodyUpload) =>
  storeUpload(ctx, writer, await receiveBody(ctx, writer, upload))

/** Receives a body, once the caller may write and while there is room for it: its bytes are stored, but no object yet. */
export const receiveBody = async (ctx: Storage, writer: Writer, upload: BodyUpload): Promise<Upload> => {
  const { bucket, key, contentType, announced, body, max, conditions, keepsVersions } = upload
  authorize(ctx, writer, 'object.write', { bucket, key, contentType, size: announced, preflight: true })
  const metadata = upload.metadata()
  const kept = upload.kept()
  const tags = upload.tags?.() ?? []
  const digests = upload.digests()
  const ref = { bucketId: bucket.id, key }
  // The statement that stores the object decides. What is refused now need not be sent.
  if (isConditional(conditions)) {
    const present = await findHead(ctx.db.sql, ref)
    if (!present && conditions.ifMatch !== undefined) refuseNothingToMatch()
    checkWrite(conditions, present?.etag)
  }
  const replaces = {
    name: `${bucket.id}/${key}`,
    effect: async () => {
      const present = bucket.versioningEnabled ? undefined : await headOf(ctx, ref)
      if (!present) return { bytes: 0, more: 1 }
      // What was stored without versioning before may go.
      if (keepsVersions && !present.unversioned) return { bytes: 0, more: 0 }
      return { bytes: present.size_bytes, more: 0 }
    },
  }
  const blob = await withReservation(ctx, { bucket, announced, max, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, max, grow, ownsChunks: true }),
  )
  const checksum = upload.checksum?.() ?? null
  return { bucket, key, contentType, metadata, kept, tags, checksum, blob, conditions, keepsVersions }
}

/** How much of a form may be something else than the file: twenty fields of 64 KiB, and the headers of each part. */
const besidesFile = 4 * 1024 * 1024

/** Receives the form that browsers send: its bytes are stored, but no object yet. */
export const receiveForm = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { keyRequired, ...incoming }: IncomingForm & { keyRequired: boolean },
): Promise<Upload> => {
  const bucket = await authorizedBucket(ctx, me, 'object.write', { bucketId, preflight: true })
  const conditions = writeConditions(incoming.headers)
  const length = announcedLength(incoming.headers)
  const announced = length && Math.max(0, length - besidesFile)
  // The key may follow the file: until then, any object may be the one that is replaced.
  const replaces = {
    name: bucket.id,
    effect: ({ live }: { live: number }) =>
      bucket.versioningEnabled ? { bytes: 0, more: 1 } : { bytes: live, more: 0 },
  }
  const form = await withReservation(ctx, { bucket, announced, replaces }, (grow) =>
    readForm(ctx, incoming, { keyRequired, grow }),
  )
  return { bucket, ...form, conditions }
}

/** What two requests with one idempotency key must have in common. */
export const fingerprintOf = ({ blob, bucket: _, ...described }: Upload) => ({
  ...described,
  size: blob.size,
  md5: blob.md5.toString('hex'),
})
