import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Sql, Tx } from './db/database.ts'
import type { Platform } from './platform.ts'

type Batch<T> = { id: string; entries: T[] }

type Options<T> = {
  /** What the entries are called in the log. */
  name: string
  /** Writes entries in a transaction; what it throws undoes all of them. */
  write(tx: Tx, entries: T[]): Promise<void>
  afterMs?: number
  largestBatch?: number
  /** Beyond so many the oldest are dropped: a database that is away must not cost all memory. */
  mostWaiting?: number
}

export const forgetOldBatches = (q: Sql) =>
  q`delete from platform.batches where created_at < now() - interval '1 day'`

export type Backlog<T> = {
  add(entry: T): void
  /** Writes what has not been written yet, as far as that is possible now. */
  flush(): Promise<void>
}

const retryMs = 1_000

/** Whether the database found fault with what it was given (SQLSTATE classes 22 and 23), as it always will. */
const isRefusedData = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown } | null)?.code))

/**
 * What is written after the fact, many entries at a time, so that no request waits for it. A batch whose write failed
 * is tried again as it was, and is written once even if it is not known whether an earlier attempt had succeeded. An
 * entry that the database will never take is found by halving its batch, and dropped.
 */
export const createBacklog = <T>(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  { name, write, afterMs = 500, largestBatch = 5_000, mostWaiting = 100_000 }: Options<T>,
): Backlog<T> => {
  const gathered: T[] = []
  let sealed: Batch<T>[] = []
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  // Never as a part of the request, and of its unit of work, in which an entry happened to be added.
  const apart = AsyncLocalStorage.snapshot()

  const batchOf = (entries: T[]): Batch<T> => ({ id: randomUUID(), entries })
  const seal = () => {
    while (gathered.length > 0) sealed.push(batchOf(gathered.splice(0, largestBatch)))
  }
  const drop = (batch: Batch<T>) => {
    if (!sealed.includes(batch)) return
    sealed = sealed.filter((each) => each !== batch)
    count -= batch.entries.length
  }

  const attempt = (batch: Batch<T>) =>
    db.transaction(async (tx) => {
      const { count: isNew } = await tx`
        insert into platform.batches (id) values (${batch.id}::uuid) on conflict do nothing`
      if (isNew > 0) await write(tx, batch.entries)
    })

  /** The statement was refused, so nothing of it was done: its halves are batches of their own. */
  const divide = (batch: Batch<T>, err: unknown) => {
    const { entries } = batch
    if (entries.length === 1) {
      log.error({ err, entry: entries[0] }, `${name}: an entry cannot be written and is dropped`)
      return drop(batch)
    }
    const middle = entries.length >> 1
    const halves = [batchOf(entries.slice(0, middle)), batchOf(entries.slice(middle))]
    sealed = sealed.flatMap((each) => (each === batch ? halves : [each]))
  }

  const writeAll = async () => {
    seal()
    for (let batch = sealed[0]; batch; batch = sealed[0]) {
      try {
        await attempt(batch)
        drop(batch)
      } catch (err) {
        if (isRefusedData(err)) divide(batch, err)
        else {
          log.warn({ err, entries: count }, `${name}: not written yet, will be tried again`)
          schedule(retryMs)
          return
        }
      }
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(() => apart(writeAll))
    return writing
  }
  const schedule = (ms: number) => {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }
  const makeRoom = () => {
    seal()
    const oldest = sealed[0] as Batch<T>
    log.error({ entries: oldest.entries.length }, `${name}: too many are waiting, the oldest are dropped`)
    drop(oldest)
  }

  return {
    add(entry) {
      gathered.push(entry)
      if (++count > mostWaiting) makeRoom()
      if (gathered.length === largestBatch && sealed.length === 0) void flush()
      else schedule(afterMs)
    },
    flush,
  }
}
