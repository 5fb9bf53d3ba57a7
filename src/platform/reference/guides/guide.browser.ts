/** Conveniences only: theme switch, copy buttons, and a menu that closes. */
import { addCopyButton } from '#platform/web/copy.browser.ts'
import { find, findAll } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'

applyStoredTheme()
addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.theme'))
  findAll('[data-copy]').forEach(addCopyButton)
})
