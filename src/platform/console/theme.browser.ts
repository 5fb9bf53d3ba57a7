import { applyStoredTheme } from '../web/theme.browser.ts'

applyStoredTheme()
