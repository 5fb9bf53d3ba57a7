import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tooManyRequests } from '#platform/errors.ts'
import { limitConcurrency } from '#platform/limit-concurrency.ts'

type Size = { width: number; height: number }
export type Task = { bytes: Uint8Array; large: Size; small: Size; maxPixels: number; quality: number }
export type Failure = 'unreadable' | 'too many pixels' | 'too slow' | 'unavailable'
export type Encoded = { large: Uint8Array; small: Uint8Array } | { failure: Failure; reason: string }

const program = fileURLToPath(new URL('./encoder-process.ts', import.meta.url))
const longestMs = 20_000

/**
 * Each picture is decoded in a process of its own, which is given nothing but its bytes. A decoder that crashes, hangs or
 * needs much memory then takes one upload with it and nothing else, and a server that encodes no pictures does not hold
 * the libraries in memory.
 */
const runProcess = (task: Task) =>
  new Promise<Encoded>((resolve, reject) => {
    const child = fork(program, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
    })
    const begun = performance.now()
    let encoded: Encoded | undefined
    child.once('message', (message) => {
      encoded = message as Encoded
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      const isSlow = performance.now() - begun >= longestMs
      resolve(
        encoded ?? {
          failure: isSlow ? 'too slow' : 'unreadable',
          reason: `the decoder ended with ${signal ?? code}`,
        },
      )
    })
    // If it has ended already, its exit says so.
    child.send(task, () => {})
  })

// Encoding takes all of a core.
const oneAtATime = limitConcurrency(1, {
  mostWaiting: 19,
  refusal: 'Too many pictures are being uploaded at the moment',
})
const mostOfOne = 4
/** Whose pictures wait or are being encoded, one entry for each. */
let owners: number[] = []

/** One picture at a time, and only a few of one account, for the sake of the others. */
export const encode = async (userId: number, task: Task): Promise<Encoded> => {
  if (owners.filter((id) => id === userId).length >= mostOfOne)
    tooManyRequests('You are uploading too many pictures at once', { headers: { 'retry-after': '1' } })
  owners.push(userId)
  try {
    return await oneAtATime(() => runProcess(task))
  } finally {
    owners = owners.toSpliced(owners.indexOf(userId), 1)
  }
}
