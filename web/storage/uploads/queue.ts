import { type StorageClient, TrivetError, type UploadOptions, type UploadSource } from '#sdk/index.ts'
import { type Chosen, contentTypeOf } from './chosen.ts'
import {
  isLarge,
  isSmall,
  partsAbove,
  partsAtOnce,
  type Running,
  type Target,
  type UploadItem,
  type UploadState,
  weightOf,
} from './item.ts'
import { md5 } from './md5.ts'
import type { Memory } from './memory.ts'
import { createPace, type Pace, perMinute } from './pace.ts'
import { createReadAhead } from './read-ahead.ts'
import { createTally } from './tally.ts'
import { createTogether } from './together.ts'

type Parts = {
  /** Starts an upload; in the console, by the SDK. */
  upload(
    bucketId: string,
    key: string,
    source: UploadSource | Promise<UploadSource>,
    options: UploadOptions,
  ): Running
  /** Sends small files by one request. */
  uploadBatch: StorageClient['uploadBatch']
  /** Removes what has arrived of an upload that is not running. */
  abandon(bucketId: string, uploadId: string): Promise<unknown>
  memory: Memory
  /** Called when anything has changed; often. */
  onChange(): void
  onStored?(item: UploadItem): void
  now?: () => number
  pace?: Pace
}

/** Browsers open six connections to a server, and one carries events: five files are on their way, two are next. */
const slots = 7

/** The files that are being uploaded, in the order in which they were chosen. */
export const createQueue = ({
  upload,
  uploadBatch,
  abandon,
  memory,
  onChange,
  onStored,
  now = Date.now,
  pace = createPace(now),
}: Parts) => {
  let items: UploadItem[] = []
  let nextId = 1
  /** Where the search for the next file begins: all before it have been started. */
  let firstWaiting = 0
  let busy = 0
  let isPaced = false
  let isTimed = false
  let isHalted = false
  const started = new Map<number, Running>()
  const { counts, become, progress, ...tally } = createTally(onChange, now)

  /** What an earlier attempt has left of a file. */
  const knownOf = (item: UploadItem) => (isLarge(item) ? memory.find(item) : undefined)

  const readAhead = createReadAhead()
  const sendSmall = createTogether({
    one: ({ bucketId, key, source, options }) => upload(bucketId, key, source, options),
    many: uploadBatch,
  })
  const waiting = function* () {
    for (let n = firstWaiting; n < items.length; n++) {
      const item = items[n] as UploadItem
      if (item.state === 'waiting') yield item
    }
  }

  const begin = (item: UploadItem) => {
    const { bucketId, key, size, file } = item
    const known = knownOf(item)
    // A file of the same size may be another one: then what has arrived is compared with it.
    const isCertain = known?.lastModified === file.lastModified
    const options: UploadOptions = {
      contentType: contentTypeOf(file),
      partsAboveBytes: partsAbove,
      concurrency: partsAtOnce,
      ...(known ? { uploadId: known.uploadId } : {}),
      ...(known && !isCertain
        ? { isSamePart: (bytes, etag) => md5(bytes) === etag.replaceAll('"', '') }
        : {}),
      onProgress: ({ loaded }) => {
        if (item.state === 'sending') progress(item, loaded)
      },
      onWait: ({ reason }) => {
        item.held = reason
        onChange()
      },
      onStart: (uploadId) => {
        const { name: fileName, lastModified } = file
        memory.add({ bucketId, bucketName: item.bucketName, key, size, fileName, lastModified, uploadId })
      },
    }
    if (!isSmall(item)) return upload(bucketId, key, file, options)
    return sendSmall({ bucketId, key, size, source: readAhead(item, waiting()), options })
  }

  const forget = (item: UploadItem) => {
    const known = knownOf(item)
    if (known) memory.forget(known.uploadId)
  }

  /** The server no longer has what arrived earlier: it was given up, or completed meanwhile. */
  const isGone = (error: unknown) =>
    error instanceof TrivetError && (error.status === 404 || error.status === 409)

  const follow = async (item: UploadItem, running: Running) => {
    try {
      await running.done
      forget(item)
      progress(item, item.size)
      become(item, 'done')
      onStored?.(item)
    } catch (error) {
      if (item.state === 'cancelled') return
      const wasContinued = isGone(error) && knownOf(item) !== undefined
      progress(item, 0)
      if (wasContinued) {
        forget(item)
        become(item, 'waiting')
        firstWaiting = 0
      } else {
        item.error = error instanceof Error ? error.message : String(error)
        become(item, 'failed')
      }
    } finally {
      started.delete(item.id)
    }
  }

  /** Sends until it is stored, has failed, or is paused, which gives its place to another file. */
  const send = (item: UploadItem) => {
    const weight = weightOf(item)
    const paused = started.get(item.id)
    const running = paused ?? begin(item)
    started.set(item.id, running)
    busy += weight
    item.error = null
    become(item, 'sending')
    paused?.resume()
    const ended = paused
      ? running.done.then(
          () => {},
          () => {},
        )
      : follow(item, running)
    let isHolding = true
    const release = () => {
      if (!isHolding) return
      isHolding = false
      busy -= weight
      releases.delete(item.id)
      fill()
    }
    releases.set(item.id, release)
    void ended.then(release)
  }
  const releases = new Map<number, () => void>()

  const nextWaiting = () => {
    while (firstWaiting < items.length && items[firstWaiting]?.state !== 'waiting') firstWaiting++
    return items[firstWaiting]
  }

  const fill = () => {
    while (busy < slots && !isHalted) {
      const item = nextWaiting()
      if (!item || busy + weightOf(item) > slots) return
      const wait = pace.take(counts.waiting)
      isPaced = wait > 0 || counts.waiting > perMinute.uploads
      if (wait > 0) {
        if (!isTimed) {
          isTimed = true
          setTimeout(() => {
            isTimed = false
            fill()
          }, wait)
        }
        return onChange()
      }
      send(item)
    }
  }

  const find = (id: number) => items.find((item) => item.id === id)

  const pause = (item: UploadItem) => {
    if (item.state !== 'sending' && item.state !== 'waiting') return
    started.get(item.id)?.pause()
    become(item, 'paused')
    releases.get(item.id)?.()
  }

  const wait = (item: UploadItem, from: UploadState) => {
    if (item.state !== from) return
    become(item, 'waiting')
    firstWaiting = 0
  }

  const cancel = async (item: UploadItem) => {
    if (item.state === 'done' || item.state === 'cancelled') return
    const running = started.get(item.id)
    become(item, 'cancelled')
    releases.get(item.id)?.()
    const known = knownOf(item)
    forget(item)
    if (running) await running.cancel()
    else if (known) await abandon(item.bucketId, known.uploadId).catch(() => {})
  }

  const each = (action: (item: UploadItem) => void) => {
    // Or the place of one that is cancelled would be taken by the next one, which is about to be cancelled, too.
    isHalted = true
    for (const item of [...items]) action(item)
    isHalted = false
    fill()
  }
  const one = (action: (item: UploadItem) => void) => (id: number) => {
    const item = find(id)
    if (item) action(item)
    fill()
  }

  return {
    add({ bucketId, bucketName, folder }: Target, files: readonly Chosen[]) {
      for (const { file, path } of files) {
        const item: UploadItem = {
          id: nextId++,
          bucketId,
          bucketName,
          key: folder + path,
          file,
          size: file.size,
          loaded: 0,
          perSecond: 0,
          state: 'waiting',
          held: null,
          error: null,
        }
        items.push(item)
        tally.add(item)
      }
      onChange()
      fill()
    },
    items: () => items as readonly UploadItem[],
    pause: one(pause),
    resume: one((item) => wait(item, 'paused')),
    retry: one((item) => wait(item, 'failed')),
    cancel: one((item) => void cancel(item)),
    pauseAll: () => each(pause),
    resumeAll: () => each((item) => wait(item, 'paused')),
    retryAll: () => each((item) => wait(item, 'failed')),
    cancelAll: () => each((item) => void cancel(item)),
    /** Sends again what was on its way: after a lost network, a connection may seem open that is not. */
    reconnect: () =>
      each((item) => {
        if (item.state !== 'sending') return
        started.get(item.id)?.pause()
        started.get(item.id)?.resume()
      }),
    /** Removes what has ended from the list. */
    clear() {
      items = items.filter(({ state }) => state !== 'done' && state !== 'failed' && state !== 'cancelled')
      firstWaiting = 0
      tally.keep(items)
    },
    isActive: tally.isActive,
    summary: () => tally.summary(isPaced),
  }
}
