/** An upload in parts that can be continued when the same file is chosen again. */
export type Interrupted = {
  bucketId: string
  bucketName: string
  key: string
  fileName: string
  size: number
  lastModified: number
  uploadId: string
  startedAt: number
}

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const name = 'trivet.uploads'
/** The server gives up an upload after seven days. */
const keptMs = 7 * 24 * 60 * 60_000
const most = 200

type Identity = Pick<Interrupted, 'bucketId' | 'key' | 'size'>

const isSame = (a: Identity, b: Identity) => a.bucketId === b.bucketId && a.key === b.key && a.size === b.size

const isInterrupted = (value: unknown): value is Interrupted =>
  typeof value === 'object' &&
  value !== null &&
  ['bucketId', 'bucketName', 'key', 'fileName', 'uploadId'].every(
    (field) => typeof (value as Record<string, unknown>)[field] === 'string',
  ) &&
  ['size', 'lastModified', 'startedAt'].every(
    (field) => typeof (value as Record<string, unknown>)[field] === 'number',
  )

/** Remembers ids of uploads in this browser. An id is no credential: the server asks who continues it. */
export const createMemory = (place: Place, now: () => number = Date.now) => {
  const read = (): Interrupted[] => {
    try {
      const list: unknown = JSON.parse(place.getItem(name) ?? '[]')
      const known = Array.isArray(list) ? list.filter(isInterrupted) : []
      return known.filter(({ startedAt }) => startedAt > now() - keptMs)
    } catch {
      return []
    }
  }
  const write = (list: Interrupted[]) => {
    try {
      if (list.length === 0) place.removeItem(name)
      else place.setItem(name, JSON.stringify(list.slice(-most)))
    } catch {
      // Without room the upload goes on; it only cannot be continued after the tab was closed.
    }
  }
  return {
    list: read,
    find: (file: Identity) => read().find((known) => isSame(known, file)),
    add(upload: Omit<Interrupted, 'startedAt'>) {
      write([...read().filter((known) => !isSame(known, upload)), { ...upload, startedAt: now() }])
    },
    forget: (uploadId: string) => write(read().filter((known) => known.uploadId !== uploadId)),
  }
}
export type Memory = ReturnType<typeof createMemory>
