import { parentPort } from 'node:worker_threads'
import { type Done, localHasher, type Task, type Work } from './hashing.ts'

/** The other side of `hashing.ts`. All work gets one response, in its order. */
const hashers = new Map<number, ReturnType<typeof localHasher>>()

const run = ({ id, plan, block, isLast }: Work): Done => {
  if (plan) hashers.set(id, localHasher(plan))
  const hasher = hashers.get(id)
  if (block) hasher?.update(block)
  if (!isLast || !hasher) return null
  hashers.delete(id)
  const { digests, pieceSums } = hasher.end()
  return { digests: [...digests], pieceSums }
}

parentPort?.on('message', (task: Task) => {
  if ('isDropped' in task) hashers.delete(task.id)
  else parentPort?.postMessage(run(task))
})
