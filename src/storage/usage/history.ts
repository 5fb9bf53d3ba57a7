import { invalid, notFound } from '#platform/errors.ts'
import type { Principal, Storage } from '../context.ts'
import type { HistoryQuery } from './schema.ts'
import { findUsageFrame, listUsageDays, type UsageDay } from './store.ts'
import { traffic } from './traffic.ts'

const dayMs = 86_400_000
const defaultDays = 30
const maxDays = 366

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const plus = (day: string, days: number) => dayOf(Date.parse(day) + days * dayMs)
const earlier = (a: string, b: string) => (a < b ? a : b)
const later = (a: string, b: string) => (a > b ? a : b)

/** Usage by day, from the day on which the organization was created until today. */
export const usageHistory = async (ctx: Storage, me: Principal, query: HistoryQuery) => {
  const today = dayOf(ctx.clock.now().getTime())
  const to = query.to ?? later(today, query.from ?? today)
  const from = query.from ?? plus(to, 1 - defaultDays)
  if (from > to) invalid('from', 'must not be after to')
  if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs)
    invalid('from', `must be within ${maxDays} days of to`)
  await traffic(ctx).flush()
  const { since, ...quotas } = (await findUsageFrame(ctx.db.sql, me.orgId)) ?? notFound()
  const range = { from: later(from, since), to: earlier(to, today) }
  const changed = range.from > range.to ? [] : await listUsageDays(ctx.db.sql, me.orgId, range)
  return { from, to, ...quotas, days: everyDay(changed, range) }
}

const nothing = {
  stored_bytes: 0,
  object_count: 0,
  uploaded_bytes: 0,
  downloaded_bytes: 0,
  bandwidth_used_bytes: 0,
}

/** Adds the days on which nothing changed: they end as the day before, and nothing was transferred. */
const everyDay = (changed: readonly UsageDay[], { from, to }: { from: string; to: string }) => {
  const byDay = new Map(changed.map((day) => [day.day, day]))
  let last = changed.find(({ day }) => day <= from) ?? { day: from, ...nothing }
  const days: UsageDay[] = []
  for (let day = from; day <= to; day = plus(day, 1)) {
    last = byDay.get(day) ?? {
      ...last,
      day,
      uploaded_bytes: 0,
      downloaded_bytes: 0,
      bandwidth_used_bytes: last.day.slice(0, 7) === day.slice(0, 7) ? last.bandwidth_used_bytes : 0,
    }
    days.push(last)
  }
  return days
}
