import { uuidv7 } from '#platform/ids.ts'
import type { Storage } from '../context.ts'
import { daysBefore, removalOf } from '../lifecycle/rules.ts'
import { expire, inPortions, type Sweep } from './portions.ts'
import * as store from './store.ts'

/** Removes old versions and then deleted objects for good whose time has come. */
export const removeNoncurrent = async (ctx: Storage, sweep: Sweep) => {
  const { bucket, rules } = sweep
  if (rules.noncurrent.length === 0) return true
  const now = ctx.clock.now()
  const before = daysBefore(now, Math.min(...rules.noncurrent.map(({ noncurrent_days }) => noncurrent_days)))
  const isCounted = rules.noncurrent.some((rule) => rule.newer_noncurrent_versions !== null)
  const steps = {
    dueOf: (row: store.NoncurrentRow): store.ExpiredEntry | undefined => {
      const due = removalOf(rules, { ...row, since: new Date(row.at) })
      if (!due || due.at > now) return undefined
      const newer = due.rule.newer_noncurrent_versions ?? 0
      return {
        id: row.id,
        key: row.key,
        object_id: row.objectId,
        newer,
        before: null,
        audit_id: uuidv7(),
      }
    },
    act: (due: store.ExpiredEntry[]) => expire(ctx, bucket, due),
  }
  const areVersionsDone = await inPortions(sweep, before, {
    ...steps,
    find: (portion) => store.findReplaced(ctx.db.sql, portion, isCounted),
  })
  if (!areVersionsDone) return false
  return inPortions(sweep, before, {
    ...steps,
    find: (portion) => store.findDeleted(ctx.db.sql, portion, isCounted),
    placeOf: ({ at, objectId: id }) => ({ at, id }),
  })
}
