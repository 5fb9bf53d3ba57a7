import type { StorageClient } from '#sdk/index.ts'
import { inParallel } from './in-parallel.ts'
import { folderOf, isFolder, keyIn, nameOf } from './paths.ts'

export type Place = { bucketId: string; key: string }
export type Step = { from: string; to: string }
export type Progress = { signal?: AbortSignal; onDone?: (done: number) => void }

const pageSize = 1000

/** Every object among these keys and below these folders. */
export const objectsBelow = async (
  storage: StorageClient,
  bucketId: string,
  keys: readonly string[],
  signal?: AbortSignal,
) => {
  const found: string[] = []
  for (const key of keys) {
    if (!isFolder(key)) {
      found.push(key)
      continue
    }
    let cursor: string | undefined
    do {
      signal?.throwIfAborted()
      const query = { prefix: key, limit: pageSize, ...(cursor ? { cursor } : {}) }
      const { data, response } = await storage.GET('/buckets/{bucketId}/objects', {
        params: { path: { bucketId }, query },
      })
      for (const object of data as { object_key: string }[]) found.push(object.object_key)
      cursor = response.headers.get('x-next-cursor') ?? undefined
    } while (cursor)
  }
  return found
}

/** Where each of these objects goes if what was chosen goes into a folder: below chosen folders the structure stays. */
export const stepsInto = (folder: string, chosen: readonly string[], objects: readonly string[]): Step[] =>
  objects.map((from) => {
    const root = chosen.find((key) => isFolder(key) && from.startsWith(key))
    return { from, to: root ? keyIn(folder, root) + from.slice(root.length) : folder + nameOf(from) }
  })

/** Where each object goes if a key or a folder becomes another. */
export const stepsTo = (chosen: string, to: string, objects: readonly string[]): Step[] =>
  objects.map((from) => ({ from, to: isFolder(chosen) ? to + from.slice(chosen.length) : to }))

const path = ({ bucketId, key }: Place) => ({ path: { bucketId, objectKey: key } })

export const copyOrMove = (
  storage: StorageClient,
  action: 'copy' | 'move',
  { from, to, steps }: { from: string; to: string; steps: readonly Step[] },
  progress: Progress = {},
) =>
  inParallel(
    steps,
    ({ from: key, to: destinationKey }) =>
      storage.POST(`/buckets/{bucketId}/objects/{objectKey}/${action}`, {
        params: path({ bucketId: from, key }),
        body: { destinationKey, destinationBucketId: to },
      }),
    progress,
  )

export const recover = (
  storage: StorageClient,
  bucketId: string,
  keys: readonly string[],
  progress?: Progress,
) =>
  inParallel(
    keys,
    (key) =>
      storage.POST('/buckets/{bucketId}/objects/{objectKey}/recover', { params: path({ bucketId, key }) }),
    progress,
  )

export const restore = (storage: StorageClient, place: Place, versionId: string) =>
  storage.POST('/buckets/{bucketId}/objects/{objectKey}/restore', {
    params: path(place),
    body: { versionId },
  })

/** Deletes objects; they can be recovered. Throws if some could not be deleted, after the others were. */
export const removeAll = async (
  storage: StorageClient,
  bucketId: string,
  keys: readonly string[],
  { signal, onDone }: Progress = {},
) => {
  const deleted: string[] = []
  let problem: { key: string; message: string } | undefined
  for (let at = 0; at < keys.length; at += pageSize) {
    signal?.throwIfAborted()
    const { data } = await storage.POST('/buckets/{bucketId}/objects/delete', {
      params: { path: { bucketId } },
      body: { keys: keys.slice(at, at + pageSize) },
    })
    deleted.push(...data.deleted)
    problem ??= data.errors[0]
    onDone?.(deleted.length)
  }
  return { deleted, problem }
}

/** Which of these keys have an object already; of many, those in the folders that are looked at. */
export const existing = async (storage: StorageClient, bucketId: string, keys: readonly string[]) => {
  const wanted = new Set(keys)
  if (keys.length <= 4) {
    const found = await Promise.all(keys.map((key) => objectAt(storage, { bucketId, key })))
    return keys.filter((_, n) => found[n])
  }
  const folders = [...new Set(keys.map(folderOf))].slice(0, 10)
  const lists = await Promise.all(folders.map((prefix) => storage.folder(bucketId, { prefix, count: false })))
  return lists
    .flatMap(({ objects }) => objects.map(({ objectKey }) => objectKey))
    .filter((key) => wanted.has(key))
}

/** The object with exactly this key: the first of those that begin with it. */
export const objectAt = async (storage: StorageClient, { bucketId, key }: Place) => {
  const { data } = await storage.GET('/buckets/{bucketId}/objects', {
    params: { path: { bucketId }, query: { prefix: key, limit: 1 } },
  })
  const [object] = data as Exclude<typeof data, { total: number }>
  return object?.object_key === key ? object : null
}
