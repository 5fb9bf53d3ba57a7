import { createServiceClient, type ServiceClient } from './client.ts'
import { type Download, type DownloadOptions, type ObjectHead, readHead, startDownload } from './downloads.ts'
import { refusal } from './errors.ts'
import type { components, paths } from './generated/storage.ts'
import type { ClientOptions } from './send.ts'
import { type BatchedFile, type BatchOptions, type UploadedBatch, uploadBatch } from './upload-batch.ts'
import type { UploadSource } from './upload-source.ts'
import { startUpload, type Upload, type UploadOptions } from './uploads.ts'

type ObjectList = components['schemas']['ObjectListR']
export type Bucket = components['schemas']['Bucket']

export type FolderOptions = {
  prefix?: string
  /** Instead of one level: all objects below the prefix whose key contains this text. */
  search?: string
  limit?: number
  cursor?: string
  /** `false` leaves out the total, which takes time in a large folder (default: true). */
  count?: boolean
  signal?: AbortSignal
}

/** One level of a bucket, as a file manager shows it. */
export type Folder = {
  /** How many objects there are below the prefix, or match the search; null if they were not to be counted. */
  total: number | null
  folders: string[]
  objects: components['schemas']['ObjectR'][]
  nextCursor: string | null
}

export type StorageClient = ServiceClient<paths> & {
  /** Uploads a file, bytes or a stream; large ones in parts, with progress, pause and continuation. */
  upload(
    bucketId: string,
    key: string,
    source: UploadSource | Promise<UploadSource>,
    options?: UploadOptions,
  ): Upload
  /** Uploads small files with one request: at most 100, of about 512 KiB together. */
  uploadBatch(bucketId: string, files: readonly BatchedFile[], options?: BatchOptions): Promise<UploadedBatch>
  /** Reads an object; goes on by itself after a lost connection. */
  download(bucketId: string, key: string, options?: DownloadOptions): Promise<Download>
  /** What a download of an object would say, without its bytes. */
  head(bucketId: string, key: string): Promise<ObjectHead>
  /** The folders and objects directly below a prefix. */
  folder(bucketId: string, options?: FolderOptions): Promise<Folder>
  /** The bucket with this name; throws a TrivetError with status 404 if there is none. */
  bucketNamed(name: string): Promise<Bucket>
}

/** A client of a storage service. */
export const createStorage = (options: ClientOptions): StorageClient => {
  // The types are those of Form S; with a pair of keys the server would choose Form R.
  const headers = { 'x-api-form': 'S', ...options.headers }
  const { client, send, urlOf } = createServiceClient<paths>({ ...options, headers }, { events: '/events' })
  const target = (bucketId: string, key: string) => ({ send, urlOf, bucketId, key })
  return {
    ...client,
    upload: (bucketId, key, source, more) => startUpload(target(bucketId, key), source, more),
    uploadBatch: (bucketId, files, more) => uploadBatch({ send, urlOf, bucketId }, files, more),
    download: (bucketId, key, more) => startDownload(target(bucketId, key), more),
    head: (bucketId, key) => readHead(target(bucketId, key)),
    async folder(bucketId, { prefix = '', search, limit = 1000, cursor, count = true, signal } = {}) {
      const query = new URLSearchParams({
        prefix,
        limit: String(limit),
        ...(search ? { search } : { delimiter: '/' }),
      })
      if (cursor) query.set('cursor', cursor)
      if (!count) query.set('count', 'false')
      // Only Form R tells folders and the total.
      const init = { headers: { 'x-api-form': 'R' }, signal: signal ?? null }
      const response = await send(() => new Request(urlOf(`/buckets/${bucketId}/objects?${query}`), init))
      const { total = null, folders = [], objects, nextCursor } = (await response.json()) as ObjectList
      return { total, folders, objects, nextCursor }
    },
    async bucketNamed(name) {
      const { data } = await client.GET('/buckets')
      const bucket = data.find((one) => one.name === name)
      if (!bucket) throw refusal(404, 'not_found', `There is no bucket ${name}`)
      return bucket
    },
  }
}
