import { signal } from '@preact/signals'
import { onReturn } from '#web/frame/connection.ts'
import { api } from '../api.ts'
import { createMemory, type Interrupted } from './memory.ts'
import { createQueue } from './queue.ts'

/** Counts changes of the queue, a few times a second at most: of many files, what is shown changes as a whole each time. */
export const changes = signal(0)
const pauseMs = () => (uploads.items().length > mostShown ? 500 : 250)
/** Of more files, those are shown first that say something. */
export const mostShown = 50
let timer: ReturnType<typeof setTimeout> | undefined
const show = () => {
  clearTimeout(timer)
  timer = undefined
  changes.value++
}
/** That all is done is shown at once. */
const onChange = () => {
  if (!uploads.isActive()) return show()
  timer ??= setTimeout(show, pauseMs())
}

const memory = createMemory(localStorage)

const abandon = (bucketId: string, uploadId: string) =>
  api.DELETE('/buckets/{bucketId}/multipart/{uploadId}', { params: { path: { bucketId, uploadId } } })

/** What this tab uploads, whatever screen it shows. */
export const uploads = createQueue({
  upload: api.upload,
  uploadBatch: api.uploadBatch,
  abandon,
  memory,
  onChange,
})

onReturn(() => uploads.reconnect())
addEventListener('beforeunload', (event) => {
  if (uploads.isActive()) event.preventDefault()
})

const isInQueue = ({ bucketId, key, size }: Interrupted) =>
  uploads
    .items()
    .some(
      (item) =>
        item.bucketId === bucketId && item.key === key && item.size === size && item.state !== 'cancelled',
    )

/** Uploads that another visit has left unfinished. */
export const interruptedIn = (bucketId: string) =>
  memory.list().filter((known) => known.bucketId === bucketId && !isInQueue(known))

/** Goes on with one of them; false if the file is another one. */
export const continueUpload = ({ bucketId, bucketName, key, size }: Interrupted, file: File) => {
  if (file.size !== size) return false
  uploads.add({ bucketId, bucketName, folder: '' }, [{ file, path: key }])
  return true
}

export const discardUpload = async ({ bucketId, uploadId }: Interrupted) => {
  memory.forget(uploadId)
  await abandon(bucketId, uploadId)
}
