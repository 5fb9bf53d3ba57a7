import { findAll } from '#platform/web/dom.browser.ts'

const openMenus = () => findAll<HTMLDetailsElement>('.menu[open]')

/** Menus close on Escape, which leads back to their button, and when something else is clicked. */
export const setUpMenus = () => {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!menu.contains(target as Node)) menu.open = false
  })
}
