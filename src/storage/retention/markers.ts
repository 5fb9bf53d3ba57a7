import { uuidv7 } from '#platform/ids.ts'
import type { Storage } from '../context.ts'
import { markerExpiryOf, markerRemovalBefore } from '../lifecycle/rules.ts'
import { expire, inPortions, type Sweep } from './portions.ts'
import * as store from './store.ts'

/** Removes markers that have lain below something for long enough, and those below which nothing is left. */
export const removeMarkers = async (ctx: Storage, sweep: Sweep) => {
  const { bucket, rules } = sweep
  if (rules.noncurrent.length + rules.markers.length + rules.expiring.length === 0) return true
  const now = ctx.clock.now()
  return inPortions(sweep, now, {
    find: (portion) => store.findMarkers(ctx.db.sql, portion),
    dueOf: ({ id, key, at, above_at, is_last }) => {
      const entry = { id, key, object_id: null, newer: 0, audit_id: uuidv7() }
      if (above_at !== null) {
        const before = markerRemovalBefore(rules, key, now)
        return before && new Date(above_at) <= before ? { ...entry, before: before.toISOString() } : undefined
      }
      const due = is_last && markerExpiryOf(rules, { key, markedAt: new Date(at) })
      return due && due <= now ? { ...entry, before: null } : undefined
    },
    act: (due) => expire(ctx, bucket, due),
  })
}
