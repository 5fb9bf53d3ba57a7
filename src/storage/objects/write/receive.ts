import type { Readable } from 'node:stream'
import { AppError, badRequest, invalid } from '#platform/errors.ts'
import type { RawRequest } from '#platform/http/response/bytes.ts'
import { checkWrite, isConditional, writeConditions } from '#platform/http/response/conditional.ts'
import { type Digest, discardBlob, type NewBlob, receiveBlob } from '../../blobs/blobs.ts'
import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { refuseNothingToMatch } from '../../refusals.ts'
import { type Grow, withReservation } from '../../reservations/reservations.ts'
import { headOf, keyName } from '../heads.ts'
import { checkKey } from '../key.ts'
import { findHead } from '../store.ts'
import {
  announcedLength,
  checksumIn,
  contentTypeOf,
  digestsOf,
  keptInFields,
  keptInHeaders,
  metadataInHeaders,
  metadataInJson,
  refuseRange,
} from './headers.ts'
import { storeUpload, type Upload, type Writer } from './write.ts'

/** A body that has not arrived yet, and what is known of it. */
type Body = {
  /** Of a request, so that nobody else holds what arrives. */
  body: Readable | null
  announced: number | undefined
  /** The maximum size of this upload, if it is less than that of any upload. */
  max?: number | undefined
  digests: Digest[]
}

/** Throws unless the caller may upload this, as far as that is known before its bytes have arrived. */
export const authorizeUpload = (
  ctx: Storage,
  writer: Writer,
  upload: { bucket: BucketFacts; key: string; contentType: string; size: number | undefined },
) => authorize(ctx, writer, 'object.write', { ...upload, preflight: true })

/** Receives the body of an upload that was authorized, while there is room for it: its bytes are stored, but no object yet. */
export const receiveBody = async (
  ctx: Storage,
  { bucket, key, conditions, keepsVersions }: Upload,
  { body, announced, max, digests }: Body,
): Promise<NewBlob> => {
  const ref = { bucketId: bucket.id, key }
  // The statement that stores the object decides. What is refused now need not be sent.
  if (isConditional(conditions)) {
    const present = await findHead(ctx.db.sql, ref)
    if (!present && conditions.ifMatch !== undefined) refuseNothingToMatch()
    checkWrite(conditions, present?.etag)
  }
  const replaces = {
    name: keyName(ref),
    effect: async () => {
      const present = bucket.versioningEnabled ? undefined : await headOf(ctx, ref)
      if (!present) return { bytes: 0, more: 1 }
      // What was stored without versioning before may go.
      if (keepsVersions && !present.unversioned) return { bytes: 0, more: 0 }
      return { bytes: present.size_bytes, more: 0 }
    },
  }
  return withReservation(ctx, { bucket, announced, max, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, max, grow, ownsChunks: true }),
  )
}

type RawUpload = RawRequest & { bucket: BucketFacts; key: string; max?: number | undefined }

/** Stores a raw body under the key in its URL. */
export const uploadRaw = async (
  ctx: Storage,
  writer: Writer,
  { bucket, key, headers, body, max }: RawUpload,
) => {
  const contentType = contentTypeOf(headers['content-type'] as string | undefined)
  const announced = announcedLength(headers)
  authorizeUpload(ctx, writer, { bucket, key, contentType, size: announced })
  refuseRange(headers)
  const upload = {
    bucket,
    key,
    contentType,
    metadata: metadataInHeaders(headers),
    kept: keptInHeaders(headers),
    conditions: writeConditions(headers),
  }
  const digests = digestsOf(headers)
  const blob = await receiveBody(ctx, upload, { body, announced, max, digests })
  return storeUpload(ctx, writer, upload, { blob, checksum: checksumIn(digests) })
}

/** How much of a form may be something else than the file: twenty fields of 64 KiB, and the headers of each part. */
const besidesFile = 4 * 1024 * 1024

/** Receives the form that browsers send: its bytes are stored, but no object yet. */
export const receiveForm = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { keyRequired, ...incoming }: IncomingForm & { keyRequired: boolean },
): Promise<{ upload: Upload; blob: NewBlob }> => {
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
  const { blob, ...described } = await withReservation(ctx, { bucket, announced, replaces }, (grow) =>
    readForm(ctx, incoming, { keyRequired, grow }),
  )
  return { upload: { bucket, ...described, conditions }, blob }
}

/** What two requests with one idempotency key must have in common. */
export const fingerprintOf = ({ bucket: _, ...asked }: Upload, { size, md5 }: NewBlob) => ({
  ...asked,
  size,
  md5: md5.toString('hex'),
})

type Field = {
  type: 'field'
  fieldname: string
  value: unknown
  valueTruncated: boolean
  fieldnameTruncated: boolean
}
type File = {
  type: 'file'
  fieldname: string
  filename: string | undefined
  mimetype: string
  file: Readable
}

/** A form as it arrives. `discard` skips the rest of it. */
export type IncomingForm = {
  headers: Record<string, string | string[] | undefined>
  parts(): AsyncIterable<Field | File>
  discard(): void
}

type ReceivedFile = { blob: NewBlob; fileName: string; contentType: string }

const formError = (error: unknown): never => {
  if (error instanceof AppError) throw error
  const { code, message } = error as { code?: string; message: string }
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') badRequest('Content-Type must be multipart/form-data')
  // The needle is the boundary, which the parser searches for, if it is not too long.
  if (code?.startsWith('FST_') || /Unexpected end|Multipart|Malformed|boundary|needle/i.test(message))
    badRequest('The form is not valid multipart/form-data')
  throw error
}

/** Reads the fields in any order. The file is stored as it arrives, maybe before its key is known. */
const readForm = async (
  ctx: Storage,
  form: IncomingForm,
  { keyRequired, grow }: { keyRequired: boolean; grow: Grow },
) => {
  let received: ReceivedFile | undefined
  const fields = new Map<string, string>()
  try {
    for await (const part of form.parts()) {
      if (part.type === 'field') keepField(fields, part)
      else if (part.fieldname !== 'file' || received) await skip(part.file)
      else
        received = {
          blob: await receiveBlob(ctx, part.file, { grow, ownsChunks: true }),
          fileName: part.filename ?? '',
          contentType: contentTypeOf(part.mimetype),
        }
    }
    if (!received) return invalid('file', 'is required')
    const metadata = fields.get('metadata')
    const { blob, contentType, fileName } = received
    const key = keyField(fields) ?? (keyRequired ? invalid('key', 'is required') : checkKey(fileName))
    return {
      blob,
      contentType,
      key,
      metadata: metadata ? metadataInJson(metadata) : {},
      kept: keptInFields(Object.fromEntries(fields)),
    }
  } catch (error) {
    if (received) await discardBlob(ctx, received.blob)
    form.discard()
    return formError(error)
  }
}

const keepField = (fields: Map<string, string>, part: Field) => {
  if (part.valueTruncated || part.fieldnameTruncated) invalid(part.fieldname, 'is too long')
  fields.set(part.fieldname, String(part.value))
}

const keyField = (fields: Map<string, string>) => {
  for (const name of ['objectKey', 'key']) {
    const key = fields.get(name)
    if (key !== undefined) return checkKey(key, name)
  }
  return undefined
}

const skip = async (stream: Readable) => {
  for await (const _ of stream);
}
