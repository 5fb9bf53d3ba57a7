import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { cleanUp } from '#test/support/cleanup.ts'
import type { Received, Sending } from './sender.ts'

/** A request as bytes, and where it goes. */
export type Sent = { port: number; bytes: Buffer }

const sender = new Worker(new URL('./sender.ts', import.meta.url))
cleanUp(() => sender.terminate())
const waiting = new Map<number, (received: Received) => void>()
sender.on('message', (received: Received) => {
  waiting.get(received.id)?.(received)
  waiting.delete(received.id)
})
await once(sender, 'online')
let count = 0

const send = ({ port, bytes }: Sent) => {
  const id = ++count
  sender.postMessage({ id, port, bytes } satisfies Sending)
  return new Promise<Received>((resolve) => waiting.set(id, resolve))
}

/** Of this thread, in milliseconds: what other processes of a busy machine take does not count. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What the requests took of the event loop at one go, at most, while all of them were answered. */
export const longestTurn = async (requests: readonly Sent[]) => {
  const answers = requests.map(send)
  let isOver = false
  const received = Promise.all(answers).finally(() => {
    isOver = true
  })
  let worst = 0
  await nextTurn()
  for (let before = cpuMs(); !isOver; ) {
    await nextTurn()
    const now = cpuMs()
    worst = Math.max(worst, now - before)
    before = now
  }
  return { ms: worst, answers: await received }
}

setFlagsFromString('--expose-gc')
/** Keeps what was compiled. */
const collect: () => void = runInNewContext('gc')

/** The same of one request, without what the engine compiled the first time, and garbage of others that it collected. */
export const leastOfThree = async (request: Sent) => {
  let ms = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    collect()
    ms = Math.min(ms, (await longestTurn([request])).ms)
  }
  return ms
}
