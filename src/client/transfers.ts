import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import mime from 'mime/lite'
import { OperatorError } from '#platform/errors.ts'
import { TrivetError } from '#sdk/index.ts'
import { etagOf } from './checksums.ts'
import type { Storage } from './credentials.ts'
import { type LocalFile, partialOf, statOf } from './files.ts'
import { keptUpload } from './kept-uploads.ts'

export type Moved = (bytes: number) => void
type Target = { bucketId: string; key: string }
type UploadSettings = { contentType?: string | undefined; onBytes: Moved }

/** The content type of a file, by its extension. */
export const typeOf = (path: string) => mime.getType(path) ?? 'application/octet-stream'

/** Uploads a file. If an earlier attempt sent parts of it, only the others are sent. */
export const uploadFile = async (
  storage: Pick<Storage, 'url' | 'upload'>,
  { path, size, changedAt }: Omit<LocalFile, 'name'>,
  { bucketId, key }: Target,
  { contentType = typeOf(path), onBytes }: UploadSettings,
) => {
  const kept = keptUpload(storage.url, bucketId, key, path, size, changedAt)
  const source = await openAsBlob(path)
  const attempt = async (uploadId?: string) => {
    let reported = 0
    const upload = storage.upload(bucketId, key, source, {
      contentType,
      ...(uploadId ? { uploadId } : {}),
      onStart: (id) => void kept.keep(id),
      onProgress({ loaded }) {
        onBytes(loaded - reported)
        reported = loaded
      },
    })
    return upload.done
  }
  const earlier = await kept.read()
  const stored = await attempt(earlier).catch((error) => {
    // It was completed, aborted or has expired: begin again.
    const isOver = error instanceof TrivetError && (error.status === 404 || error.status === 409)
    if (!earlier || !isOver) throw error
    return attempt()
  })
  await kept.forget()
  return stored
}

/** Uploads what arrives on a stream, whose length need not be known. */
export const uploadStream = (
  storage: Pick<Storage, 'upload'>,
  source: AsyncIterable<Uint8Array>,
  { bucketId, key }: Target,
  { contentType, onBytes }: UploadSettings,
) => {
  let reported = 0
  return storage.upload(bucketId, key, source, {
    ...(contentType ? { contentType } : {}),
    onProgress({ loaded }) {
      onBytes(loaded - reported)
      reported = loaded
    },
  }).done
}

/**
 * Downloads an object to a file, which appears when it is complete and verified. What an interrupted attempt has received of
 * the same content is kept beside it and continued.
 */
export const downloadFile = async (
  storage: Pick<Storage, 'download'>,
  { bucketId, key, etag }: Target & { etag: string },
  path: string,
  onBytes: Moved,
) => {
  await mkdir(dirname(path), { recursive: true })
  const partial = partialOf(path, etag)
  const start = (await statOf(partial))?.size ?? 0
  const { body, size } = await storage
    .download(bucketId, key, { start, ifMatch: quoted(etag) })
    .catch(async (error) => {
      if (start === 0 || !(error instanceof TrivetError) || error.status !== 416) throw error
      // All of it had arrived.
      return { size: start, body: nothing() }
    })
  const sum = etagOf(etag, size)
  if (start > 0) {
    for await (const chunk of createReadStream(partial)) sum.add(chunk)
    onBytes(start)
  }
  const file = createWriteStream(partial, { flags: 'a', flush: true })
  for await (const chunk of body) {
    sum.add(chunk)
    onBytes(chunk.byteLength)
    if (!file.write(chunk)) await new Promise((resolve) => file.once('drain', resolve))
  }
  file.end()
  await finished(file)
  if (!sum.matches()) {
    await rm(partial, { force: true })
    throw new OperatorError('what arrived does not have its checksum: try again')
  }
  await rename(partial, path)
  return size
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

const quoted = (etag: string) => (etag.startsWith('"') ? etag : `"${etag}"`)
