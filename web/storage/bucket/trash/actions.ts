import { TrivetError } from '#sdk/index.ts'
import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { toast, toastError } from '#web/components/toast.tsx'
import { queries } from '#web/frame/queries.ts'
import { api } from '#web/storage/api.ts'
import type { Trashed } from './queries.ts'

const pathOf = (bucketId: string, objectKey: string) => ({ path: { bucketId, objectKey } })

const readAgain = () =>
  Promise.all(
    ['trash', 'objects', 'bucket', 'buckets'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
  )

const nameOf = (objects: Trashed[]) =>
  objects.length === 1 ? (objects[0]?.object_key ?? '') : counted(objects.length, 'object')

/** Does it to each of them, however many fail, and says which was the first failure. */
const toEach = async (objects: Trashed[], act: (object: Trashed) => Promise<unknown>) => {
  const done: Trashed[] = []
  let failure: unknown = null
  for (const object of objects)
    try {
      await act(object)
      done.push(object)
    } catch (error) {
      failure ??= error
    }
  await readAgain()
  if (failure) toastError(failure)
  return done
}

export const recoverObjects = async (bucketId: string, objects: Trashed[]) => {
  const recovered = await toEach(objects, ({ object_key }) =>
    api.POST('/buckets/{bucketId}/objects/{objectKey}/recover', { params: pathOf(bucketId, object_key) }),
  )
  if (recovered.length === 0) return
  const undo = () =>
    toEach(recovered, ({ object_key }) =>
      api.DELETE('/buckets/{bucketId}/objects/{objectKey}', { params: pathOf(bucketId, object_key) }),
    )
  toast(`${nameOf(recovered)} recovered`, { undo })
}

/** All that is kept of its key; but if the key is in use again, only this one. */
const purge = async (bucketId: string, { object_key, version_id }: Trashed) => {
  const { path } = pathOf(bucketId, object_key)
  try {
    await api.DELETE('/buckets/{bucketId}/objects/{objectKey}', {
      params: { path, query: { permanent: true }, header: { 'If-None-Match': '*' } },
    })
  } catch (error) {
    if (!(error instanceof TrivetError) || error.status !== 412) throw error
    const query = { objectKey: object_key, versionId: version_id }
    await api.DELETE('/buckets/{bucketId}/versions', { params: { path: { bucketId }, query } })
  }
}

export const purgeObjects = async (bucketId: string, objects: Trashed[]) => {
  const isSure = await confirm({
    title: `Delete ${nameOf(objects)} forever?`,
    text: 'The content and its earlier versions are removed for good. This cannot be undone.',
    verb: 'Delete forever',
    danger: true,
  })
  if (!isSure) return
  const purged = await toEach(objects, (object) => purge(bucketId, object))
  if (purged.length > 0) toast(`${nameOf(purged)} deleted forever`)
}
