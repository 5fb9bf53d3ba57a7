import { connectionError, TrivetError } from './errors.ts'
import { pathOfObject } from './object-path.ts'
import type { UploadTarget } from './uploads.ts'
import { backoff, wait } from './wait.ts'

export type DownloadOptions = {
  versionId?: string
  /** The first byte to read (default: 0). */
  start?: number
  /** Only if the object still has this entity tag; otherwise the download is refused with 412. */
  ifMatch?: string
  signal?: AbortSignal
  /** How long to go on without a connection, in milliseconds (default: 10 minutes). */
  offlineMs?: number
}

export type ObjectHead = {
  /** Of the whole object. */
  size: number
  etag: string
  contentType: string
  lastModified: Date
  metadata: Record<string, string>
}

export type Download = ObjectHead & {
  /** The bytes from `start` on. A lost connection is continued with the next byte, as long as the object is the same. */
  body: AsyncGenerator<Uint8Array, void>
}

const metadataOf = (headers: Headers) =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      name.startsWith('x-meta-') ? [[name.slice('x-meta-'.length), value]] : [],
    ),
  )

const sizeOf = ({ headers }: Response) =>
  Number(headers.get('content-range')?.split('/')[1] ?? headers.get('content-length') ?? 0)

const headOf = (response: Response): ObjectHead => {
  const { headers } = response
  return {
    size: sizeOf(response),
    etag: headers.get('etag') ?? '',
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    lastModified: new Date(headers.get('last-modified') ?? 0),
    metadata: metadataOf(headers),
  }
}

export const readHead = async ({ send, urlOf, bucketId, key }: UploadTarget) => {
  const headers = { 'accept-encoding': 'identity' }
  const url = urlOf(pathOfObject(bucketId, key))
  return headOf(await send(() => new Request(url, { method: 'HEAD', headers })))
}

/** Starts to read an object. */
export const startDownload = async (
  { send, urlOf, bucketId, key }: UploadTarget,
  { versionId, start = 0, ifMatch, signal, offlineMs = 10 * 60_000 }: DownloadOptions = {},
): Promise<Download> => {
  const url = new URL(urlOf(pathOfObject(bucketId, key)))
  if (versionId) url.searchParams.set('versionId', versionId)
  const request = (from: number, etag?: string) =>
    send(
      () =>
        new Request(url, {
          signal: signal ?? null,
          headers: {
            ...(from > 0 ? { range: `bytes=${from}-` } : {}),
            ...(etag ? { 'if-match': etag } : {}),
            // The bytes as they are stored, so that positions and sizes are those of the object.
            'accept-encoding': 'identity',
          },
        }),
      { offlineMs },
    )
  const first = await request(start, ifMatch)
  const head = headOf(first)
  const { etag, size } = head

  async function* body(): AsyncGenerator<Uint8Array, void> {
    let at = start
    let response = first
    for (let failures = 0; ; failures++) {
      try {
        for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
          at += chunk.byteLength
          failures = 0
          yield chunk
        }
        if (at >= size) return
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof TrivetError || failures > 20) throw connectionError(url.href, error)
      }
      await wait(backoff(failures, { first: 200, most: 3_000 }), signal)
      response = await request(at, etag)
    }
  }
  return { ...head, body: body() }
}
