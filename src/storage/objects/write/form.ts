import type { Readable } from 'node:stream'
import { AppError, badRequest, invalid } from '#platform/errors.ts'
import { discardBlob, type NewBlob, receiveBlob } from '../../blobs/blobs.ts'
import type { Storage } from '../../context.ts'
import type { Grow } from '../../reservations/reservations.ts'
import { checkKey } from '../key.ts'
import type { KeptHeaders, Metadata } from '../store.ts'
import { contentTypeOf, metadataInJson } from './headers.ts'
import { keptInFields } from './kept-headers.ts'

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

type Received = { blob: NewBlob; fileName: string; contentType: string }
export type UploadForm = Omit<Received, 'fileName'> & { key: string; metadata: Metadata; kept: KeptHeaders }

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
export const readForm = async (
  ctx: Storage,
  form: IncomingForm,
  { keyRequired, grow }: { keyRequired: boolean; grow: Grow },
): Promise<UploadForm> => {
  let received: Received | undefined
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
