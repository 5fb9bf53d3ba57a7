import { date } from '#web/components/format.ts'

const startOf = (text: string) => new Date(`${text}T00:00`)

/** A day of the calendar, such as `2026-11-30`, as the locale writes it. */
export const day = (text: string) => date(startOf(text))

/** Negative once the day is over. */
export const daysUntil = (text: string, now = new Date()) =>
  Math.round((startOf(text).getTime() - new Date(now.toDateString()).getTime()) / 86_400_000)

const two = (n: number) => String(n).padStart(2, '0')

/** The day that is so many days after today where the browser is. */
export const dayFromNow = (days: number, now = new Date()) => {
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`
}
