import { findAll } from '#platform/web/dom.browser.ts'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })

/** Exact times in the reader's own time zone. */
export const setUpTimes = () => {
  for (const time of findAll<HTMLTimeElement>('time[datetime]')) {
    const words = exact.format(new Date(time.dateTime))
    if ('exact' in time.dataset) time.textContent = words
    else time.title = words
  }
}

/** A click anywhere in a post opens it, unless it was meant for something in it or selects text. */
export const setUpCards = () =>
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented || getSelection()?.toString()) return
    if (event.target.closest('a, button, summary, form, input, details')) return
    const link = event.target.closest('.post:not(.main)')?.querySelector<HTMLAnchorElement>('.when')
    if (link && (event.ctrlKey || event.metaKey)) open(link.href)
    else link?.click()
  })
