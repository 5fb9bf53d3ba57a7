import { parentPort } from 'node:worker_threads'
import { type Done, localHasher, type Task } from './hashing.ts'

/** The other side of `hashing.ts`. Every `update` and every `end` gets one response, in the order of the tasks. */
const hashers = new Map<number, ReturnType<typeof localHasher>>()

const run = (task: Task): Done | undefined => {
  const hasher = hashers.get(task.id)
  if (task.kind === 'start') hashers.set(task.id, localHasher(task.plan))
  else if (task.kind === 'update') hasher?.update(task.block)
  else hashers.delete(task.id)
  if (task.kind === 'update') return null
  if (task.kind !== 'end' || !hasher) return undefined
  const { digests, pieceSums } = hasher.end()
  return { digests: [...digests], pieceSums }
}

parentPort?.on('message', (task: Task) => {
  const done = run(task)
  if (done !== undefined) parentPort?.postMessage(done)
})
