import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { toast, toastError } from '#web/components/toast.tsx'
import { api, type Bucket } from '../api.ts'
import { shownName } from './paths.ts'
import { renewObjects } from './queries.ts'
import { copyOrMove, existing, objectsBelow, recover, removeAll, type Step } from './transfer.ts'
import { type Progressing, work } from './working.tsx'

const isCancelled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Does something whose failure belongs to no form. */
export const attempt = async (action: () => Promise<unknown>) => {
  try {
    await action()
  } catch (error) {
    if (!isCancelled(error)) toastError(error)
  }
}

const called = (keys: readonly string[]) =>
  keys.length === 1 ? shownName(keys[0] as string) : counted(keys.length, 'object')

/** More than this are not deleted without a question, though they could be recovered one by one. */
const manyObjects = 1000

const confirmMany = (total: number) =>
  confirm({
    title: `Delete ${counted(total, 'object')}?`,
    text: 'They go to the trash. Recovering so many takes a while.',
    verb: 'Delete objects',
    danger: true,
  })

/** Deletes objects and folders at once, and offers to bring them back. */
export const removeObjects = (bucket: Bucket, keys: readonly string[]) =>
  attempt(async () => {
    const title = 'Deleting objects'
    const objects = await work(title, ({ signal }) => objectsBelow(api, bucket.id, keys, signal))
    if (objects.length > manyObjects && !(await confirmMany(objects.length))) return
    const { deleted, problem } = await work(title, (progress) => {
      progress.onTotal(objects.length)
      return removeAll(api, bucket.id, objects, progress)
    })
    await renewObjects(bucket.id)
    if (problem) toast(`${shownName(problem.key)} was not deleted: ${problem.message}`, { bad: true })
    const undo = () => recoverObjects(bucket, deleted)
    const what = keys.length === 1 ? called(keys) : called(deleted)
    if (deleted.length > 0) toast(`Deleted ${what}`, { undo })
  })

const recoverObjects = async (bucket: Bucket, keys: readonly string[]) => {
  await work('Recovering objects', (progress) => {
    progress.onTotal(keys.length)
    return recover(api, bucket.id, keys, progress)
  })
  await renewObjects(bucket.id)
  toast(`Recovered ${called(keys)}`)
}

/** Asks before something is replaced that is there already; returns whether to go on, and what is replaced. */
export const confirmReplacing = async (
  bucket: Pick<Bucket, 'id' | 'versioning_enabled'>,
  keys: readonly string[],
) => {
  const replaced = await existing(api, bucket.id, keys)
  if (replaced.length === 0) return { goesOn: true, replaces: false }
  const kept = 'What is there now is kept as a version.'
  const lost = 'The bucket keeps no versions: what is there now will be lost.'
  const goesOn = await confirm({
    title: `Replace ${called(replaced)}?`,
    text: `${replaced.slice(0, 3).join(', ')}${replaced.length > 3 ? ', …' : ''} is there already. ${bucket.versioning_enabled ? kept : lost}`,
    verb: 'Replace',
    danger: !bucket.versioning_enabled,
  })
  return { goesOn, replaces: true }
}

type Transfer = { action: 'copy' | 'move'; from: Bucket; to: Bucket; keys: readonly string[] }

/** Copies or moves objects and folders; `steps` says where each object goes. Returns whether it was done. */
export const transfer = async (
  { action, from, to, keys }: Transfer,
  steps: (objects: string[]) => Step[],
): Promise<boolean> => {
  const title = action === 'copy' ? 'Copying objects' : 'Moving objects'
  const run = (list: readonly Step[], ends: { from: string; to: string }, progress: Progressing) => {
    progress.onTotal(list.length)
    return copyOrMove(api, action, { ...ends, steps: list }, progress)
  }
  const objects = await objectsBelow(api, from.id, keys)
  const all = steps(objects)
  const { goesOn, replaces } = await confirmReplacing(
    to,
    all.map((step) => step.to),
  )
  if (!goesOn) return false
  const renew = () => Promise.all([...new Set([from.id, to.id])].map(renewObjects))
  try {
    await work(title, (progress) => run(all, { from: from.id, to: to.id }, progress))
  } finally {
    await renew()
  }
  const undoMove = async () => {
    const back = all.map(({ from: was, to: is }) => ({ from: is, to: was }))
    await work('Moving back', (progress) => run(back, { from: to.id, to: from.id }, progress))
    await renew()
  }
  const undoCopy = async () => {
    await removeAll(
      api,
      to.id,
      all.map((step) => step.to),
    )
    await renew()
  }
  const done = action === 'copy' ? 'Copied' : 'Moved'
  toast(`${done} ${called(keys)}`, replaces ? {} : { undo: action === 'copy' ? undoCopy : undoMove })
  return true
}
