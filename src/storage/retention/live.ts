import type { Storage } from '../context.ts'
import { daysBefore, expirationOf } from '../lifecycle/rules.ts'
import { expireObjects } from '../objects/delete/delete.ts'
import { inPortions, type Sweep } from './portions.ts'
import * as store from './store.ts'

/** Deletes objects whose time has come; they can be recovered like any that was deleted. */
export const expireLive = async (ctx: Storage, sweep: Sweep) => {
  const { bucket, rules } = sweep
  const now = ctx.clock.now()
  const befores = rules.expiring.map(({ expiration_days: days, expiration_date: date }) => {
    if (days !== null) return daysBefore(now, days)
    return new Date(date as string) <= now ? now : new Date(0)
  })
  const before = new Date(Math.max(0, ...befores.map((time) => time.getTime())))
  if (before.getTime() === 0) return true
  return inPortions(sweep, before, {
    find: (portion) => store.findLive(ctx.db.sql, portion),
    dueOf: (row) => {
      const due = expirationOf(rules, { ...row, storedAt: new Date(row.stored_at) })
      return due && due.at <= now ? { key: row.key, version: row.version } : undefined
    },
    act: (due) => expireObjects(ctx, bucket, due),
  })
}
