import { addCopyButton } from '#platform/web/copy.browser.ts'
import { find, findAll } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'
import { setUpCards, setUpTimes } from './cards.browser.ts'
import { setUpMenus } from './menus.browser.ts'
import { setUpSeen } from './notifications.browser.ts'
import { setUpSwaps } from './swap.browser.ts'

const maxCharacters = 280
const resendAfterMs = 3000

/** `data-count` names the output that says how many characters are left. What is too long cannot be sent. */
const setUpCount = (area: HTMLTextAreaElement) => {
  const output = document.getElementById(area.dataset.count ?? '')
  if (!output) return
  const send = area.form?.querySelector<HTMLButtonElement>('button.primary')
  const update = () => {
    const left = maxCharacters - [...area.value.normalize('NFC').trim()].length
    output.textContent = left < 0 ? `${-left} too many` : `${left} left`
    output.classList.toggle('bad', left < 0)
    if (send) send.disabled = left < 0
  }
  area.addEventListener('input', update)
  update()
}

/** A second click within a moment sends nothing. */
const sendOnce = (form: HTMLFormElement) => {
  let sent = 0
  form.addEventListener('submit', (event) => {
    if (event.submitter?.dataset.swap) return
    if (sent > 0 && event.timeStamp - sent < resendAfterMs) event.preventDefault()
    else sent = event.timeStamp
  })
  // After navigating back from the page it led to, the form may be sent again at once.
  addEventListener('pageshow', () => {
    sent = 0
  })
}

/** On phones, tabs that do not fit are scrolled. */
const showTab = (tab: HTMLElement) => tab.scrollIntoView({ block: 'nearest', inline: 'center' })

applyStoredTheme()
addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.theme'), ' theme')
  findAll<HTMLTextAreaElement>('[data-count]').forEach(setUpCount)
  findAll('[data-copy]').forEach(addCopyButton)
  findAll<HTMLFormElement>('form[method=post]').forEach(sendOnce)
  findAll('.tabs [aria-current]').forEach(showTab)
  setUpSwaps()
  setUpMenus()
  setUpTimes()
  setUpCards()
  setUpSeen()
})
