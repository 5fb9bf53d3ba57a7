/** Comfort only: the theme switch, a count of characters, copying, and forms that are sent once. It runs in the head, before the first paint. */
export const pageScript = `
'use strict'
const root = document.documentElement
const stored = (write) => { try { return write ? write(localStorage) : localStorage.getItem('trivet-theme') } catch { return null } }
if (['light', 'dark'].includes(stored())) root.dataset.theme = stored()
const dark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches

const setUpTheme = (button) => {
  const name = () => { button.textContent = isDark() ? 'Light theme' : 'Dark theme' }
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    stored((storage) => storage.setItem('trivet-theme', root.dataset.theme))
    name()
  })
  dark.addEventListener('change', name)
  name()
}

const setUpCount = (area) => {
  const output = document.getElementById(area.dataset.count)
  const tell = () => {
    const left = 280 - [...area.value.normalize('NFC').trim()].length
    output.textContent = left < 0 ? -left + ' too many' : left + ' left'
    output.classList.toggle('bad', left < 0)
  }
  area.addEventListener('input', tell)
  tell()
}

const setUpCopy = (holder) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const code = holder.querySelector('code')
    const done = await navigator.clipboard?.writeText(code.textContent).then(() => true, () => false)
    if (!done) getSelection().selectAllChildren(code)
    button.textContent = done ? 'Copied' : 'Selected'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
  holder.append(button)
}

const sendOnce = (form) => {
  let sent = 0
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sent < 3000 && sent > 0) event.preventDefault()
    else sent = event.timeStamp
  })
  // Back here from the page that it led to, it may be sent again at once.
  addEventListener('pageshow', () => { sent = 0 })
}

addEventListener('DOMContentLoaded', () => {
  setUpTheme(document.querySelector('.theme'))
  document.querySelectorAll('[data-count]').forEach(setUpCount)
  document.querySelectorAll('[data-copy]').forEach(setUpCopy)
  document.querySelectorAll('form[method=post]').forEach(sendOnce)
})
`
