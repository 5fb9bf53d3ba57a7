import { date } from '#web/components/format.ts'

/** Days have no time: midnight of the browser's day. */
const startOf = (day: string) => new Date(`${day}T00:00`)

export const dayText = (day: string) => date(startOf(day))

/** Negative once the day is over. */
export const daysUntil = (day: string, now = new Date()) =>
  Math.round((startOf(day).getTime() - new Date(now.toDateString()).getTime()) / 86_400_000)
