/** Days are `YYYY-MM-DD`, in the time zone of the company, which the service knows. */

export type Grouping = 'day' | 'week' | 'month'

const dayMs = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const plusDays = (day: string, days: number) => dayOf(Date.parse(day) + days * dayMs)

/** A day of the address, if it is one. While a year is being typed into a field, it is long ago. */
export const dayIn = (text: string | undefined) =>
  text && /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** Periods that people ask for, each up to today; the first is what the service takes without being asked. */
export const presetsOf = (today: string) => {
  const month = `${today.slice(0, 7)}-01`
  const endOfLast = plusDays(month, -1)
  return [
    { label: 'Last 30 days', from: plusDays(today, -29), to: today },
    { label: 'Last 90 days', from: plusDays(today, -89), to: today },
    { label: 'Last 365 days', from: plusDays(today, -364), to: today },
    { label: 'This month', from: month, to: today },
    { label: 'Last month', from: `${endOfLast.slice(0, 7)}-01`, to: endOfLast },
    { label: 'This year', from: `${today.slice(0, 4)}-01-01`, to: today },
  ]
}

/** As many points as one can read. Without an end a period goes on until today. */
export const usualGrouping = (from?: string, to?: string, today = dayOf(Date.now())): Grouping => {
  const days = from ? (Date.parse(to ?? today) - Date.parse(from)) / dayMs : 30
  return days <= 92 ? 'day' : days <= 400 ? 'week' : 'month'
}

const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const longMonth = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A day, the Monday of a week or a month (`2026-01`), as people read it. */
export const periodName = (period: string, by: Grouping) => {
  const start = Date.parse(period)
  return by === 'month'
    ? longMonth.format(start)
    : by === 'week'
      ? `Week of ${longDay.format(start)}`
      : longDay.format(start)
}

/** Where a period is in a chart. */
export const secondsOf = (period: string) => Date.parse(period) / 1000
