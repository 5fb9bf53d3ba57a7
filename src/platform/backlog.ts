import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Sql, Tx } from './db/database.ts'
import type { Platform } from './platform.ts'

type Batch<T> = { id: string; entries: T[] }

type Options<T> = {
  /** The name of the entries in the log. */
  name: string
  /** Writes a batch of entries in a transaction, which is rolled back if it throws. */
  write(tx: Tx, entries: T[]): Promise<void>
  delayMs?: number
  maxBatch?: number
  /** Beyond this many entries the oldest are dropped, so that an outage of the database does not exhaust memory. */
  maxWaiting?: number
}

export const deleteOldBatches = (q: Sql) =>
  q`delete from platform.batches where created_at < now() - interval '1 day'`

export type Backlog<T> = {
  add(entry: T): void
  /** Writes everything that has not been written yet, if the database is available. */
  flush(): Promise<void>
}

const retryMs = 1_000

/** Invalid data or a violated constraint (SQLSTATE classes 22 and 23): the same entries would be refused again. */
const isRefusedData = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown } | null)?.code))

/**
 * A write-behind buffer: entries are written later, in batches, so that no request waits for them. A batch that failed
 * is retried unchanged, and its id makes sure that it is written once even if an earlier attempt has committed without
 * us knowing. If the database refuses the data of a batch, the batch is halved until the offending entry is found,
 * which is dropped.
 */
export const createBacklog = <T>(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  { name, write, delayMs = 500, maxBatch = 5_000, maxWaiting = 100_000 }: Options<T>,
): Backlog<T> => {
  const collected: T[] = []
  let sealed: Batch<T>[] = []
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  // Writes must not join the unit of work of the request that happened to add an entry.
  const outsideRequest = AsyncLocalStorage.snapshot()

  const batchOf = (entries: T[]): Batch<T> => ({ id: randomUUID(), entries })
  const seal = () => {
    while (collected.length > 0) sealed.push(batchOf(collected.splice(0, maxBatch)))
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

  /** Nothing of a refused batch was written, so its halves can be written as batches of their own. */
  const split = (batch: Batch<T>, err: unknown) => {
    const { entries } = batch
    if (entries.length === 1) {
      log.error({ err, entry: entries[0] }, `${name}: an entry is dropped because the database refuses it`)
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
        if (isRefusedData(err)) split(batch, err)
        else {
          log.warn({ err, entries: count }, `${name}: writing failed, will be retried`)
          schedule(retryMs)
          return
        }
      }
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(() => outsideRequest(writeAll))
    return writing
  }
  const schedule = (ms: number) => {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }
  const makeRoom = () => {
    seal()
    const oldest = sealed[0] as Batch<T>
    log.error(
      { entries: oldest.entries.length },
      `${name}: too many entries are waiting, the oldest are dropped`,
    )
    drop(oldest)
  }

  return {
    add(entry) {
      collected.push(entry)
      if (++count > maxWaiting) makeRoom()
      if (collected.length === maxBatch && sealed.length === 0) void flush()
      else schedule(delayMs)
    },
    flush,
  }
}
