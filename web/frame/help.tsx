import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '#web/components/dialog.tsx'
import { takesKeys } from '#web/components/focus.ts'

const isOpen = signal(false)
export const openKeys = () => {
  isOpen.value = true
}

/** Where to read on, on the service itself. */
export const readings = [
  { label: 'Guides', href: '/docs/guides' },
  { label: 'API reference', href: '/docs' },
]

const keys: [keys: string[], meaning: string][] = [
  [['Ctrl K', '⌘ K'], 'Search or jump to…'],
  [['↑', '↓'], 'Move between the rows of a table'],
  [['Enter'], 'Open the row'],
  [['/'], 'Search in the list'],
  [['Esc'], 'Close a dialog or a menu, clear a search'],
  [['?'], 'Show these keys'],
]

/** All keys of the console, on `?`. */
export function Help() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || takesKeys(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openKeys()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen.value) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isOpen.value = false)}>
      <dl class="keys">
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
