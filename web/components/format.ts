/** Numbers, sizes, money and times as the browser's locale writes them. */

// Made once: a new one for each number takes longer than all else that a row of a table needs.
const integers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

export const count = (n: number) => integers.format(n)

/** "1 object", "2 objects". */
export const counted = (n: number, noun: string, plural = `${noun}s`) =>
  `${count(n)} ${n === 1 ? noun : plural}`

/** With three digits at most: 999 B, 1.5 KiB, 12.3 MiB. */
export const bytes = (n: number) => {
  let value = n
  let unit = 0
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const format = unit === 0 || Math.abs(value) >= 100 ? integers : tenths
  return `${format.format(value)} ${units[unit]}`
}

/** An amount as the API gives it, a decimal text or a number, never rounded on the way. */
export const money = (amount: string | number, currency: string) =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.toUpperCase() }).format(
    amount as Intl.StringNumericLiteral,
  )

export const percent = (part: number, whole: number) =>
  (whole > 0 ? part / whole : 0).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 0 })

const steps: [limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [30 * 86_400, 'day', 86_400],
]
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** "5 minutes ago", "in 3 days"; a date for whatever is more than a month away. */
export const relativeTime = (at: Date, now = new Date()) => {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const step = steps.find(([limit]) => Math.abs(seconds) < limit)
  if (!step) return dates.format(at)
  const [, unit, length] = step
  return unit === 'second' && Math.abs(seconds) < 5
    ? 'now'
    : relative.format(Math.trunc(seconds / length), unit)
}

export const fullTime = (at: Date) => times.format(at)
export const date = (at: Date) => dates.format(at)

/** Both ends of a long text: what it begins with, and the last characters, which tell similar keys apart. */
export const splitMiddle = (text: string, tail = 12): [string, string] => {
  const characters = [...text]
  return characters.length <= tail * 2
    ? [text, '']
    : [characters.slice(0, -tail).join(''), characters.slice(-tail).join('')]
}
