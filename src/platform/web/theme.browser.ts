type Theme = 'light' | 'dark'

const root = document.documentElement
const darkPreferred = matchMedia('(prefers-color-scheme: dark)')
const key = 'trivet-theme'

/** Storage may be forbidden, so it is only ever tried. */
const tryStorage = <T>(use: (storage: Storage) => T): T | null => {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}

const otherTheme = (): Theme => {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : darkPreferred.matches
  return isDark ? 'light' : 'dark'
}

/** Called from the head, so that a chosen theme is there before the first paint. */
export const applyStoredTheme = () => {
  const stored = tryStorage((storage) => storage.getItem(key))
  if (stored === 'light' || stored === 'dark') root.dataset.theme = stored
}

/** Shows a button that switches to the other theme and remembers the choice. */
export const setUpTheme = (button: HTMLElement, suffix = '') => {
  const label = () => {
    const other = otherTheme()
    button.textContent = (other === 'dark' ? 'Dark' : 'Light') + suffix
    button.setAttribute('aria-label', `Switch to ${other} theme`)
  }
  button.hidden = false
  button.addEventListener('click', () => {
    const chosen = otherTheme()
    root.dataset.theme = chosen
    tryStorage((storage) => storage.setItem(key, chosen))
    label()
  })
  darkPreferred.addEventListener('change', label)
  label()
}
