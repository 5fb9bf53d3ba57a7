/** A convenience only: the theme switch. */
import { find } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'

applyStoredTheme()
addEventListener('DOMContentLoaded', () => setUpTheme(find('.theme')))
