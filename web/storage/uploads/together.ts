import type { BatchedFile, BatchOptions, StorageClient, UploadOptions } from '#sdk/index.ts'
import type { Running } from './item.ts'
import type { SmallSource } from './read-ahead.ts'

/** Of fewer files each is sent by itself. */
const worthwhile = 8
/** What is sent by one request. No progress is told while it is on its way, so it must not take long. */
const most = { files: 100, bytes: 512 * 1024 }
const requestsAtOnce = 2

type Small = {
  bucketId: string
  key: string
  size: number
  source: Promise<SmallSource>
  options: UploadOptions
}
/** A file that is to be sent, and what waits for it. */
type Member = Small & {
  /** The request that carries it. */
  request: Sent | null
  /** If it is sent by itself. */
  alone: Running | null
  end(error?: unknown): void
}
/** A request, and those of its files that nobody has paused or cancelled. */
type Sent = { members: Set<Member>; abort(): void }

const bytesOf = async (source: SmallSource) =>
  source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source

type Senders = {
  /** Sends one file. */
  one(file: Small): Running
  many: StorageClient['uploadBatch']
}

/** Sends small files that are started at the same time by one request: for a browser, a request costs more than its bytes. */
export const createTogether = ({ one, many }: Senders) => {
  let gathered: Member[] = []
  let running = 0
  let isDue = false

  /** The next ones that fit into a request: of one bucket, each key once. */
  const take = () => {
    const taken = new Map<string, Member>()
    const bucketId = gathered[0]?.bucketId as string
    let bytes = 0
    gathered = gathered.filter((member) => {
      const fits = taken.size < most.files && bytes + member.size <= most.bytes
      if (!fits || member.bucketId !== bucketId || taken.has(member.key)) return true
      taken.set(member.key, member)
      bytes += member.size
      return false
    })
    return { bucketId, members: [...taken.values()] }
  }

  const sendAlone = (member: Member) => {
    member.alone = one(member)
    member.alone.done.then(() => member.end(), member.end)
  }

  /** If a file cannot be read, it alone fails. */
  const fileOf = async (member: Member): Promise<BatchedFile[]> => {
    const { key, options } = member
    try {
      return [
        {
          key,
          source: await bytesOf(await member.source),
          ...(options.contentType ? { contentType: options.contentType } : {}),
        },
      ]
    } catch (error) {
      member.end(error)
      return []
    }
  }

  const sendTogether = async (bucketId: string, members: Member[]) => {
    const controller = new AbortController()
    const request: Sent = { members: new Set(members), abort: () => controller.abort() }
    for (const member of members) member.request = request
    const onWait: BatchOptions['onWait'] = (waiting) => {
      for (const { options } of request.members) options.onWait?.(waiting)
    }
    running++
    try {
      const files = (await Promise.all(members.map(fileOf))).flat()
      if (files.length > 0) {
        const { errors } = await many(bucketId, files, { signal: controller.signal, onWait })
        const refusals = new Map(errors.map(({ key, message }) => [key, new Error(message)]))
        for (const member of members) member.end(refusals.get(member.key))
      }
    } catch (error) {
      for (const member of request.members) member.end(error)
    }
    running--
    flush()
  }

  const flush = () => {
    isDue = false
    while (running < requestsAtOnce && gathered.length > 0) {
      const { bucketId, members } = take()
      if (members.length < worthwhile) members.forEach(sendAlone)
      else void sendTogether(bucketId, members)
    }
  }

  /** Sent when everything has been started that is started now. */
  const gather = (member: Member) => {
    gathered.push(member)
    if (isDue) return
    isDue = true
    setTimeout(flush)
  }

  /** What its request has stored of it stays. The request ends when nobody waits for it any more. */
  const leave = (member: Member) => {
    gathered = gathered.filter((other) => other !== member)
    const { request } = member
    member.request = null
    request?.members.delete(member)
    if (request?.members.size === 0) request.abort()
  }

  return (file: Small): Running => {
    let end: Member['end'] = () => {}
    const done = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error))
    })
    done.catch(() => {})
    const member: Member = {
      ...file,
      request: null,
      alone: null,
      end,
    }
    gather(member)
    return {
      done,
      pause() {
        if (member.alone) member.alone.pause()
        else leave(member)
      },
      resume() {
        if (member.alone) member.alone.resume()
        else if (!member.request && !gathered.includes(member)) gather(member)
      },
      async cancel() {
        if (member.alone) return member.alone.cancel()
        member.end(new DOMException('The upload was cancelled', 'AbortError'))
        leave(member)
      },
    }
  }
}
