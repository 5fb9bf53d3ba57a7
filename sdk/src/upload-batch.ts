import { base64Of, digestOf } from './digest.ts'
import type { components } from './generated/storage.ts'
import { bytesOf } from './upload-source.ts'
import { defaults, type UploadOptions, type UploadTarget } from './uploads.ts'

/** A small file that is sent together with others. */
export type BatchedFile = {
  key: string
  source: Blob | Uint8Array<ArrayBuffer>
} & Pick<
  UploadOptions,
  | 'contentType'
  | 'metadata'
  | 'cacheControl'
  | 'contentDisposition'
  | 'contentEncoding'
  | 'contentLanguage'
  | 'ifNoneMatch'
>

export type BatchOptions = Pick<UploadOptions, 'offlineMs' | 'onWait' | 'signal'>

/** What was stored, and what the server has refused, with the reason. */
export type UploadedBatch = Pick<components['schemas']['UploadedBatch'], 'uploaded' | 'errors'>

const described = async ({ source, ...file }: BatchedFile) => {
  const bytes = await bytesOf(source)
  return { ...file, contentDigest: await digestOf(bytes), data: base64Of(bytes) }
}

/** Sends small files with one request, which may have 1 MiB: the bytes in Base64, keys and metadata. */
export const uploadBatch = async (
  { send, urlOf, bucketId }: Pick<UploadTarget, 'send' | 'urlOf' | 'bucketId'>,
  files: readonly BatchedFile[],
  { signal, offlineMs = defaults.offlineMs, onWait }: BatchOptions = {},
): Promise<UploadedBatch> => {
  const body = JSON.stringify({ objects: await Promise.all(files.map(described)) })
  const headers = { 'content-type': 'application/json' }
  const url = urlOf(`/buckets/${bucketId}/objects/batch`)
  const make = () => new Request(url, { method: 'POST', headers, body, signal: signal ?? null })
  // Like a PUT: objects that are stored already are replaced by the same bytes.
  const response = await send(make, { offlineMs, repeatable: true, ...(onWait ? { onWait } : {}) })
  const { uploaded, errors } = (await response.json()) as UploadedBatch
  return { uploaded, errors }
}
