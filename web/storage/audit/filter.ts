import type { AuditFilter } from './queries.ts'

/** What the address says: days as the reader's calendar has them. */
export type Asked = { search?: string; action?: string; person?: string; from?: string; to?: string }

/** The beginning of a day where the reader is, `days` later. */
const startOf = (day: string, days = 0) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + days)
}

const isDay = (text: string | undefined): text is string => /^[1-9]\d{3}-\d\d-\d\d$/.test(text ?? '')

/** As the API has it: times, of which the last is not included. What is no day is no filter. */
export const filterOf = ({ search, action, person, from, to }: Asked): AuditFilter => ({
  ...(search ? { objectKey: search } : {}),
  ...(action ? { action } : {}),
  ...(person ? { actorUserId: person } : {}),
  ...(isDay(from) ? { from: startOf(from).toISOString() } : {}),
  ...(isDay(to) ? { to: startOf(to, 1).toISOString() } : {}),
})
