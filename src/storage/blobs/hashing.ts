import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type AlgorithmName, algorithmOf } from '../checksums/algorithms.ts'
import { sumPieces } from './pieces.ts'

/** Hashes of a blob: by algorithm, and the checksums of its pieces if they were asked for. */
export type Hashes = { digests: Map<AlgorithmName, Buffer>; pieceSums: Buffer | null }

export type Hasher = {
  /** Whether another thread hashes, so that blocks must be in shared memory. */
  isRemote: boolean
  /** The block must not change before this resolves. */
  update(block: Buffer): Promise<void> | undefined
  end(): Promise<Hashes>
  /** To be called when `end` will not be. */
  drop(): void
}

export type Plan = { algorithms: AlgorithmName[]; pieces: boolean }

/** Hashes on this thread. */
export const localHasher = ({ algorithms, pieces }: Plan) => {
  const running = algorithms.map((algorithm) => [algorithm, algorithmOf(algorithm).start()] as const)
  const sums = pieces ? sumPieces() : null
  return {
    update(block: Uint8Array) {
      for (const [, digest] of running) digest.update(block)
      sums?.add(block)
    },
    end: () => ({
      digests: new Map(running.map(([algorithm, digest]) => [algorithm, digest.digest()])),
      pieceSums: sums?.result() ?? null,
    }),
  }
}

/** A block of a blob for another thread. The first one comes with the plan; only the last may come without bytes. */
export type Work = { id: number; plan?: Plan; block?: Uint8Array; isLast: boolean }
export type Task = Work | { id: number; isDropped: true }
/** The response to work: the hashes if it was the last. */
export type Done = { digests: [AlgorithmName, Uint8Array][]; pieceSums: Uint8Array | null } | null

type Thread = { run(work: Work): Promise<Done>; tell(task: Task): void; readonly waiting: number }

const startThread = (): Thread => {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { name: 'hashing' })
  const waiting: PromiseWithResolvers<Done>[] = []
  worker.unref()
  worker.on('message', (done: Done) => waiting.shift()?.resolve(done))
  const fail = (error: unknown) => {
    threads = threads.filter((known) => known !== thread)
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The hashing thread has ended')))
  const thread: Thread = {
    run(work) {
      const done = Promise.withResolvers<Done>()
      waiting.push(done)
      worker.postMessage(work)
      return done.promise
    },
    tell: (task) => worker.postMessage(task),
    get waiting() {
      return waiting.length
    },
  }
  return thread
}

/** One core is left to everything else in an upload, which takes longer than its hashes. Each thread takes some 20 MiB. */
const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
let threads: Thread[] = []
let lastId = 0

/** The thread with the least to do. Another one is started only if all are busy. */
const pick = (): Thread => {
  const best = threads.toSorted((a, b) => a.waiting - b.waiting)[0]
  if (best && (best.waiting === 0 || threads.length >= maxThreads)) return best
  const started = startThread()
  threads.push(started)
  return started
}

/**
 * Hashes on another thread, with blocks in shared memory: a megabyte takes longer than everything else in its upload. Each
 * message wakes that thread up, so a blob of one block takes a single one if its size is known.
 */
const remoteHasher = (plan: Plan, size: number): Hasher => {
  const thread = pick()
  const id = ++lastId
  let [left, isNew] = [size, true]
  let last: Promise<Done> | undefined
  const run = (block?: Buffer) => {
    left -= block?.length ?? 0
    const isLast = left === 0 || !block
    const done = thread.run({ id, isLast, ...(isNew && { plan }), ...(block && { block }) })
    isNew = false
    last = isLast ? done : undefined
    return done
  }
  return {
    isRemote: true,
    update: (block) => run(block).then(() => {}),
    async end() {
      const done = await (last ?? run())
      if (!done) throw new Error('The hashing thread lost an upload')
      return {
        digests: new Map(done.digests.map(([algorithm, digest]) => [algorithm, Buffer.from(digest)])),
        pieceSums: done.pieceSums && Buffer.from(done.pieceSums),
      }
    },
    drop: () => thread.tell({ id, isDropped: true }),
  }
}

const hereAlone = (plan: Plan): Hasher => {
  const { update, end } = localHasher(plan)
  return { isRemote: false, update: (block) => void update(block), end: async () => end(), drop: () => {} }
}

/** Blobs of fewer bytes are hashed before another thread could have begun. */
const remoteFrom = 128 * 1024

/** Another thread is used unless the blob is known to be short. */
export const createHasher = (plan: Plan, size: number): Hasher =>
  size < remoteFrom ? hereAlone(plan) : remoteHasher(plan, size)
