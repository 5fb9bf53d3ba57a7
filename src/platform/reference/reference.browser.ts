/** Conveniences only: theme switch, filter, copy buttons, forms to try operations, and where in the page the reader is. */
import { addCopyButton } from '#platform/web/copy.browser.ts'
import { find, findAll } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'
import { addTryIt } from './try/try.browser.ts'

const targetOf = ({ hash }: { hash: string }) => document.getElementById(decodeURIComponent(hash.slice(1)))

const setUpFilter = () => {
  const input = find<HTMLInputElement>('.filter input')
  // Every operation is linked twice: from the sidebar and from the menu of narrow screens.
  const links = findAll<HTMLAnchorElement>('.group li > a')
  const total = new Set(links.map(({ hash }) => hash)).size
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = new Set<string>()
    for (const link of links) {
      const text = link.textContent.toLowerCase()
      const matches = words.every((word) => text.includes(word))
      if (matches) found.add(link.hash)
      for (const element of [link.parentElement, targetOf(link)]) if (element) element.hidden = !matches
    }
    for (const group of findAll('.group')) group.hidden = !group.querySelector('li:not([hidden])')
    for (const part of findAll('.part')) part.hidden = !part.querySelector('.operation:not([hidden])')
    for (const part of findAll('.around')) part.hidden = words.length > 0
    find('.filter output').textContent = words.length > 0 ? `${found.size} of ${total}` : ''
    find('.empty').hidden = found.size > 0
  }
  const clear = () => {
    input.value = ''
    apply()
  }
  find('.filter').hidden = false
  input.addEventListener('input', apply)
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea')
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape' && event.target === input) clear()
  })
  // A link to something the filter hides shows it again.
  addEventListener('hashchange', () => {
    const target = targetOf(location)
    if (!target?.closest('[hidden]')) return
    clear()
    requestAnimationFrame(() => target.scrollIntoView())
  })
  if (input.value) apply()
}

/** Marks the link of what is being read, and keeps it in sight. */
const followReader = (nav: HTMLElement) => {
  const links = [...nav.querySelectorAll('a')]
  let current: HTMLAnchorElement | undefined
  const mark = (link: HTMLAnchorElement | undefined) => {
    current?.removeAttribute('aria-current')
    current = link
    if (!link) return
    link.setAttribute('aria-current', 'location')
    const { top, bottom } = link.getBoundingClientRect()
    const frame = nav.getBoundingClientRect()
    if (top < frame.top || bottom > frame.bottom) nav.scrollTop += top - frame.top - frame.height / 3
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find((entry) => entry.isIntersecting)
      if (seen) mark(links.find((link) => link.hash === `#${seen.target.id}`))
    },
    { rootMargin: '-10% 0px -80% 0px' },
  )
  for (const target of links.map(targetOf)) if (target && !target.matches('.part')) observer.observe(target)
}

applyStoredTheme()
addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.theme'))
  setUpFilter()
  findAll('[data-copy]').forEach(addCopyButton)
  addTryIt(findAll('.try'), find('#trials'))
  followReader(find('.side > nav'))
  const menu = find<HTMLDetailsElement>('.menu')
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) menu.open = false
  })
})
