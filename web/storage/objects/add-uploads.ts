import { toast } from '#web/components/toast.tsx'
import type { Bucket } from '../api.ts'
import type { Chosen } from '../uploads/chosen.ts'
import { uploads } from '../uploads/uploads.ts'
import { attempt, confirmReplacing } from './actions.ts'
import { faultOfKey } from './paths.ts'
import { createRoom } from './room.tsx'

type Target = { bucket: Bucket; folder: string }

/** Files are read from folders a few at a time; these go on while the rest is being found. */
const portion = 500

/** Uploads what was chosen or dropped. Where nothing is kept of what is replaced, it asks first. */
export const addUploads = ({ bucket, folder }: Target, files: Iterable<Chosen> | AsyncIterable<Chosen>) =>
  attempt(async () => {
    let some: Chosen[] = []
    let total = 0
    const room = createRoom(bucket.id)
    const send = async () => {
      if (!(await room.take(some))) return false
      const keys = some.map(({ path }) => folder + path)
      const isSafe = bucket.versioning_enabled || (await confirmReplacing(bucket, keys)).goesOn
      if (isSafe) uploads.add({ bucketId: bucket.id, bucketName: bucket.name, folder }, some)
      some = []
      return true
    }
    for await (const chosen of files) {
      const fault = faultOfKey(folder + chosen.path)
      if (fault) {
        toast(`${chosen.path.slice(0, 60)}… cannot be uploaded: its key ${fault}`, { bad: true })
        continue
      }
      total++
      some.push(chosen)
      if (some.length === portion && !(await send())) return
    }
    if (some.length > 0 && !(await send())) return
    if (total === 0) toast('Nothing to upload: there are no files in it')
  })
