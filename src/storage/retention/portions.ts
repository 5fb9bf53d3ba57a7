import type { Storage } from '../context.ts'
import type { Rules } from '../lifecycle/rules.ts'
import { keyName } from '../objects/heads.ts'
import * as store from './store.ts'

/** What one bucket is swept with. */
export type Sweep = { bucket: store.Bucket; rules: Rules; mayGoOn(): Promise<boolean> }

const portion = 1000
/** Each key needs a lock, of which the database has some thousands, and which writers wait for. */
const changedAtOnce = 100

/** Reads entries of a bucket up to a time, portion by portion, and gives those that are due to `act`. */
export const inPortions = async <R extends store.Place, Due>(
  { bucket, mayGoOn }: Sweep,
  before: Date,
  steps: {
    find(portion: store.Portion): PromiseLike<readonly R[]>
    placeOf?(row: R): store.Place
    dueOf(row: R): Due | undefined
    act(due: Due[]): Promise<unknown>
  },
): Promise<boolean> => {
  for (let after = store.start; ; ) {
    const rows = await steps.find({ bucket, after, before, limit: portion })
    const due = rows.flatMap((row) => steps.dueOf(row) ?? [])
    for (let at = 0; at < due.length; at += changedAtOnce) {
      if (!(await mayGoOn())) return false
      await steps.act(due.slice(at, at + changedAtOnce) as Due[])
    }
    const last = rows.at(-1)
    if (!last || rows.length < portion) return true
    if (!(await mayGoOn())) return false
    after = steps.placeOf?.(last) ?? last
  }
}

/** Removes entries for good. Those that have changed since they were found stay. */
export const expire = (ctx: Storage, bucket: store.Bucket, entries: store.ExpiredEntry[]) =>
  ctx.db.write((q) =>
    store.expireEntries(q, bucket, {
      names: entries.map(({ key }) => keyName({ bucketId: bucket.id, key })),
      entries,
      now: ctx.clock.now(),
    }),
  )
