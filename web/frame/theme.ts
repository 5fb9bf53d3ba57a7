import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

/** The key and values are those of the services' other pages, so that a choice holds for all of them. */
const key = 'trivet-theme'

/** Storage may be forbidden, so it is only ever tried. */
const stored = (): Theme => {
  try {
    const value = localStorage.getItem(key)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

export const theme = signal<Theme>(stored())

const apply = () => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset.theme
  else dataset.theme = theme.value
}

export const chooseTheme = (choice: Theme) => {
  theme.value = choice
  apply()
  try {
    if (choice === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, choice)
  } catch {
    // It holds until the page is left.
  }
}

/** Applies the chosen theme, also when it is chosen in another tab. */
export const startTheme = () => {
  apply()
  addEventListener('storage', () => {
    theme.value = stored()
    apply()
  })
}
