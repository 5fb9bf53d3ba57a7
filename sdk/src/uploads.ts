import { digestOf } from './digest.ts'
import { refusal } from './errors.ts'
import { type Gate, gate } from './gate.ts'
import type { components } from './generated/storage.ts'
import { randomId } from './ids.ts'
import { sendMeasured } from './measured-send.ts'
import { pathOfObject } from './object-path.ts'
import type { Send, Waiting } from './send.ts'
import {
  blobParts,
  bytesOf,
  type Part,
  partSizeFor,
  streamParts,
  type UploadSource,
} from './upload-source.ts'

export type StoredObject = components['schemas']['Object']

export type UploadProgress = {
  /** Bytes that have been sent. Falls if some are lost with their connection. */
  loaded: number
  /** Bytes in all; null for a stream whose end is not known yet. */
  total: number | null
}

export type UploadOptions = {
  contentType?: string
  metadata?: Record<string, string>
  cacheControl?: string
  contentDisposition?: string
  contentEncoding?: string
  contentLanguage?: string
  /** Only if there is no object with this key (`*`); only for sources that are not sent in parts. */
  ifNoneMatch?: '*'
  /** How many parts are sent at once (default: 4). */
  concurrency?: number
  /** Larger sources are sent in parts (default: 16 MiB). */
  partsAboveBytes?: number
  /** Of each part (default: 8 MiB, more for a source of over 80,000 MiB). */
  partSizeBytes?: number
  /** Continues an upload in parts that was interrupted: parts that have arrived are not sent again. */
  uploadId?: string
  /** Whether the bytes of a part are those that arrived earlier, by their entity tag, an MD5 (default: as many are). */
  isSamePart?(bytes: Uint8Array<ArrayBuffer>, etag: string): boolean | Promise<boolean>
  /** How long to go on without a connection, in milliseconds (default: 10 minutes). */
  offlineMs?: number
  onProgress?(progress: UploadProgress): void
  /** Called when nothing can be sent for a while: there is no connection, or a limit of the server was reached. */
  onWait?(waiting: Waiting): void
  /** Called when an upload in parts has an id with which it can be continued later. */
  onStart?(uploadId: string): void
  /** Cancels the upload. */
  signal?: AbortSignal
}

export type Upload = {
  /** The object, when it is stored. Rejects with a TrivetError, or with the reason of `cancel`. */
  done: Promise<StoredObject>
  /** Sends nothing more until `resume`; what is on its way is sent again then. */
  pause(): void
  resume(): void
  /** Ends the upload, and removes the parts that have arrived. */
  cancel(): Promise<void>
}

/** What uploads need of the client they belong to. */
export type UploadTarget = { send: Send; urlOf(path: string): string; bucketId: string; key: string }

type Received = { partNumber: number; etag: string; sizeBytes: number }

/** Less is sent before anybody could look. */
const worthMeasuring = 64 * 1024
export const defaults = { partsAbove: 16 * 1024 * 1024, concurrency: 4, offlineMs: 10 * 60_000 }

const headersOf = (options: UploadOptions) => {
  const given = {
    'content-type': options.contentType ?? 'application/octet-stream',
    'cache-control': options.cacheControl,
    'content-disposition': options.contentDisposition,
    'content-encoding': options.contentEncoding,
    'content-language': options.contentLanguage,
    'if-none-match': options.ifNoneMatch,
  }
  const metadata = Object.entries(options.metadata ?? {}).map(([name, value]) => [`x-meta-${name}`, value])
  return [...Object.entries(given).filter(([, value]) => value !== undefined), ...metadata] as [
    string,
    string,
  ][]
}

/** One upload: a single request, or parts of which several are sent at once. */
class Sending {
  readonly #target: UploadTarget
  readonly #options: UploadOptions
  readonly #gate: Gate
  readonly #total: number | null
  #stored = 0
  /** How much has been sent of each request in flight. */
  readonly #sent = new Map<object, number>()

  constructor(target: UploadTarget, options: UploadOptions, gate: Gate, total: number | null) {
    this.#target = target
    this.#options = options
    this.#gate = gate
    this.#total = total
  }

  uploadId: string | null = null

  #tell() {
    let loaded = this.#stored
    for (const bytes of this.#sent.values()) loaded += bytes
    this.#options.onProgress?.({ loaded, total: this.#total })
  }

  #progress(bytes: number) {
    this.#stored += bytes
    this.#tell()
  }

  /** Sends while the gate is open. A request that a pause interrupts is sent again when it ends. */
  async #request<Body>(path: string, init: RequestInit, patience: Parameters<Send>[1] = {}): Promise<Body> {
    const { send, urlOf } = this.#target
    const { offlineMs = defaults.offlineMs, onWait } = this.#options
    for (;;) {
      const signal = await this.#gate.open()
      try {
        const make = () => new Request(urlOf(path), { ...init, signal })
        const response = await send(make, { offlineMs, ...(onWait ? { onWait } : {}), ...patience })
        return (await response.json()) as Body
      } catch (error) {
        if (!this.#gate.isPausedBy(error)) throw error
      }
    }
  }

  #json<Body>(method: string, path: string, body: object, key?: string) {
    const headers = { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) }
    return this.#request<Body>(path, { method, headers, body: JSON.stringify(body) })
  }

  /** Sends bytes, and tells while they are on their way. */
  async #put<Body>(path: string, bytes: Uint8Array<ArrayBuffer>, given: [string, string][]) {
    const digest = await digestOf(bytes)
    const headers = digest ? [...given, ['content-digest', digest] as [string, string]] : given
    const request = {}
    const measure = bytes.byteLength > worthMeasuring ? sendMeasured() : null
    const measured =
      measure &&
      ((attempt: Request) =>
        measure(attempt, bytes, (sent) => {
          this.#sent.set(request, sent)
          this.#tell()
        }).catch((error) => {
          this.#sent.delete(request)
          this.#tell()
          throw error
        }))
    try {
      const patience = measured ? { transport: measured } : {}
      return await this.#request<Body>(path, { method: 'PUT', headers, body: bytes }, patience)
    } finally {
      this.#sent.delete(request)
    }
  }

  async whole(bytes: Uint8Array<ArrayBuffer>) {
    const { bucketId, key } = this.#target
    const path = pathOfObject(bucketId, key)
    const stored = await this.#put<StoredObject>(path, bytes, headersOf(this.#options))
    this.#progress(bytes.byteLength)
    return stored
  }

  #uploadPath(rest = '') {
    return `/buckets/${this.#target.bucketId}/multipart/${this.uploadId}${rest}`
  }

  async #start() {
    const { contentType, metadata, cacheControl, contentDisposition, contentEncoding, contentLanguage } =
      this.#options
    const { uploadId } = await this.#json<{ uploadId: string }>(
      'POST',
      `/buckets/${this.#target.bucketId}/multipart/initiate`,
      {
        objectKey: this.#target.key,
        totalSizeBytes: this.#total,
        ...Object.fromEntries(
          Object.entries({
            contentType,
            metadata,
            cacheControl,
            contentDisposition,
            contentEncoding,
            contentLanguage,
          }).filter(([, value]) => value !== undefined),
        ),
      },
      randomId(),
    )
    this.uploadId = uploadId
    this.#options.onStart?.(uploadId)
  }

  /** What has arrived of an upload that is continued. */
  async #received() {
    const known = this.#options.uploadId
    if (!known) return []
    this.uploadId = known
    const { parts, status, objectKey } = await this.#request<{
      parts: Received[]
      status: string
      objectKey: string
    }>(this.#uploadPath(), {})
    if (status !== 'pending' || objectKey !== this.#target.key)
      throw refusal(
        409,
        'conflict',
        `The upload ${known} cannot be continued: it is ${status}, of the key ${objectKey}`,
      )
    return parts
  }

  async #isThere({ size, read }: Part, { sizeBytes, etag }: Received) {
    const { isSamePart } = this.#options
    return size === sizeBytes && (!isSamePart || (await isSamePart(await read(), etag)))
  }

  async #sendPart({ number, read }: Part) {
    const bytes = await read()
    const part = await this.#put<Received>(this.#uploadPath(`/parts/${number}`), bytes, [
      ['content-type', 'application/octet-stream'],
    ])
    this.#progress(bytes.byteLength)
    return part
  }

  async inParts(parts: AsyncIterable<Part>) {
    const received = new Map((await this.#received()).map((part) => [part.partNumber, part]))
    if (!this.uploadId) await this.#start()
    const sent: Received[] = []
    // Each worker takes the next part as soon as it has sent one.
    const queue = parts[Symbol.asyncIterator]()
    const work = async () => {
      for (let next = await queue.next(); !next.done; next = await queue.next()) {
        const part = next.value
        const known = received.get(part.number)
        const isThere = known !== undefined && (await this.#isThere(part, known))
        if (isThere) this.#progress(part.size)
        sent.push(isThere ? known : await this.#sendPart(part))
      }
    }
    const { concurrency = defaults.concurrency } = this.#options
    await Promise.all(Array.from({ length: concurrency }, work))
    sent.sort((a, b) => a.partNumber - b.partNumber)
    const list = sent.map(({ partNumber, etag }) => ({ partNumber, etag }))
    return this.#json<StoredObject>('POST', this.#uploadPath('/complete'), { parts: list }, randomId())
  }

  async abort() {
    const { send, urlOf } = this.#target
    if (this.uploadId) await send(() => new Request(urlOf(this.#uploadPath()), { method: 'DELETE' }))
  }
}

/** Uploads a file, bytes or a stream, in parts if it is large. Starts at once, or when its source is there. */
export const startUpload = (
  target: UploadTarget,
  source: UploadSource | Promise<UploadSource>,
  options: UploadOptions = {},
): Upload => {
  const control = gate(options.signal)
  const { partsAboveBytes = defaults.partsAbove } = options
  const run = async (): Promise<StoredObject> => {
    const given = await source
    if (given instanceof Blob || given instanceof Uint8Array) {
      const size = given instanceof Blob ? given.size : given.byteLength
      sending = new Sending(target, options, control, size)
      if (size <= partsAboveBytes && !options.uploadId) return sending.whole(await bytesOf(given))
      const blob = given instanceof Blob ? given : new Blob([given])
      return sending.inParts(blobParts(blob, options.partSizeBytes ?? partSizeFor(size)))
    }
    sending = new Sending(target, options, control, null)
    const { first, parts } = await streamParts(given, options.partSizeBytes ?? partSizeFor(0))
    return parts ? sending.inParts(parts) : sending.whole(first)
  }
  let sending: Sending | undefined
  const done = run()
  // Whoever cancels need not also watch `done`.
  done.catch(() => {})
  return {
    done,
    pause: control.pause,
    resume: control.resume,
    async cancel() {
      control.end(new DOMException('The upload was cancelled', 'AbortError'))
      await done.then(
        () => {},
        () => sending?.abort().catch(() => {}),
      )
    },
  }
}
