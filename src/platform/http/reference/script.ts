/**
 * Comfort only: theme switch, filter, copy buttons, and where in the page the reader is. It runs in the head, so
 * that a chosen theme is there before the first paint. Storage may be forbidden, so it is only ever tried.
 */
export const referenceScript = `
'use strict'
const root = document.documentElement
const stored = (write) => { try { return write ? write(localStorage) : localStorage.getItem('trivet-theme') } catch { return null } }
if (['light', 'dark'].includes(stored())) root.dataset.theme = stored()

const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches

const setUpTheme = (button) => {
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; button.setAttribute('aria-label', 'Switch to ' + button.textContent.toLowerCase() + ' theme') }
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    stored((storage) => storage.setItem('trivet-theme', root.dataset.theme))
    name()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name)
  name()
}

const setUpFilter = (box, input, matches, empty) => {
  const links = [...document.querySelectorAll('.group li > a')]
  const total = links.length / 2
  const apply = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let found = 0
    for (const link of links) {
      const text = (link.textContent + ' ' + link.title).toLowerCase()
      const hit = words.every((word) => text.includes(word))
      link.parentElement.hidden = !hit
      document.getElementById(link.hash.slice(1)).hidden = !hit
      if (hit) found += 0.5
    }
    for (const group of document.querySelectorAll('.group')) group.hidden = !group.querySelector('li:not([hidden])')
    for (const part of document.querySelectorAll('.part')) part.hidden = !part.querySelector('.operation:not([hidden])')
    for (const part of document.querySelectorAll('.around')) part.hidden = words.length > 0
    matches.textContent = words.length ? found + ' of ' + total : ''
    empty.hidden = found > 0
  }
  box.hidden = false
  input.addEventListener('input', apply)
  addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.target.closest('input')) { event.preventDefault(); input.focus() }
    if (event.key === 'Escape' && event.target === input) { input.value = ''; apply() }
  })
  // A link to something the filter hides shows it again.
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target && target.closest('[hidden]')) { input.value = ''; apply(); requestAnimationFrame(() => target.scrollIntoView()) }
  })
  if (input.value) apply()
}

// Plain http beyond localhost has no clipboard API: there the text is selected and copied the old way.
const copyBySelection = (element) => {
  getSelection().selectAllChildren(element)
  return document.execCommand('copy')
}
const copy = async (element) => {
  if (!navigator.clipboard) return copyBySelection(element)
  return navigator.clipboard.writeText(element.textContent).then(() => true, () => copyBySelection(element))
}

const addCopyButton = (holder) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', holder.dataset.copy)
  button.addEventListener('click', async () => {
    button.textContent = (await copy(holder.querySelector('code'))) ? 'Copied' : 'Selected'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
  const place = holder.querySelector('figcaption') ?? holder
  place.append(button)
}

const followReader = (nav) => {
  const byId = new Map([...nav.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]))
  let current
  const observer = new IntersectionObserver((entries) => {
    const seen = entries.find((entry) => entry.isIntersecting)
    if (!seen) return
    current?.removeAttribute('aria-current')
    current = byId.get(seen.target.id)
    current?.setAttribute('aria-current', 'location')
    const { top, bottom } = current?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
    const frame = nav.getBoundingClientRect()
    if (top < frame.top || bottom > frame.bottom) nav.scrollTop += top - frame.top - frame.height / 3
  }, { rootMargin: '-10% 0px -80% 0px' })
  for (const id of byId.keys()) { const target = document.getElementById(id); if (target && !target.matches('.part')) observer.observe(target) }
}

addEventListener('DOMContentLoaded', () => {
  const find = (selector) => document.querySelector(selector)
  setUpTheme(find('.theme'))
  setUpFilter(find('.filter'), find('.filter input'), find('.filter output'), find('.empty'))
  document.querySelectorAll('[data-copy]').forEach(addCopyButton)
  followReader(find('.side > nav'))
  find('.menu').addEventListener('click', (event) => { if (event.target.closest('a')) find('.menu').open = false })
})
`
