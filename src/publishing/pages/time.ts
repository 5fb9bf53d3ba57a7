import { html } from '#platform/web/html.ts'

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** How long ago, in a short form. */
const ago = (iso: string, now: Date) => {
  const then = new Date(iso)
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000)
  if (seconds < 60) return 'now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d`
  return (then.getUTCFullYear() === now.getUTCFullYear() ? day : dayOfYear).format(then)
}

export const fullTime = (iso: string) => `${full.format(new Date(iso))} UTC`
export const monthOf = (iso: string) => month.format(new Date(iso))

/** A relative time, with the exact one as title and for machines. */
export const time = (iso: string, now: Date, kind = '') =>
  html`<time${kind && html` class="${kind}"`} datetime="${iso}" title="${fullTime(iso)}">${ago(iso, now)}</time>`

/** The exact time; in a browser with script, in the reader's own time zone. */
export const exactTime = (iso: string) => html`<time datetime="${iso}" data-exact>${fullTime(iso)}</time>`
