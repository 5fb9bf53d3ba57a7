import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { offered, want } from '#web/components/acts.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { leave, themes } from './account-menu.tsx'
import { addressOf, type Console, type Found } from './console.ts'
import { openKeys, readings } from './help.tsx'
import { useSession } from './session.ts'
import { chooseTheme } from './theme.ts'

const isOpen = signal(false)
export const openPalette = () => {
  isOpen.value = true
}
const close = () => {
  isOpen.value = false
}

const pauseMs = 150

/** "Search or jump to…": the screens of the console, what can be done, and whatever the service finds. */
export function Palette({ console }: { console: Console }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      isOpen.value = !isOpen.value
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      close()
    }
  }, [])
  return isOpen.value ? (
    <Dialog title="Search or jump to…" onClose={close}>
      <Search console={console} />
    </Dialog>
  ) : null
}

type Entry = { label: string; detail: string; open(): unknown }

/** What the frame itself can do. */
const ownActs = (): Entry[] => [
  ...themes.map(([value, label]) => ({ label, detail: 'Theme', open: () => chooseTheme(value) })),
  ...readings.map(({ label, href }) => ({
    label,
    detail: 'Help',
    open: () => void window.open(href, '_blank', 'noopener'),
  })),
  { label: 'Keyboard shortcuts', detail: 'Help', open: openKeys },
  { label: 'Sign out', detail: 'Account', open: leave },
]

/** Screens, what can be done on this one and on others, and help. */
const useOwn = (console: Console, text: string): Entry[] => {
  const { can } = useSession()
  const { route } = useLocation()
  const mayUse = ({ needs }: { needs?: string }) => !needs || can(needs)
  const screens = console.screens.filter((screen) => screen.nav && mayUse(screen))
  const here = offered.value.map(({ label, run }) => ({ label, detail: 'Action', open: run }))
  const errands = console.errands.filter(
    (errand) => mayUse(errand) && !here.some(({ label }) => label === errand.label),
  )
  const goDo = (label: string, path: string) => {
    want(label)
    route(addressOf(path))
  }
  return [
    ...screens.map(({ nav, path }) => ({
      label: nav?.label ?? '',
      detail: 'Screen',
      open: () => route(addressOf(path)),
    })),
    ...here,
    ...errands.map(({ label, path }) => ({ label, detail: 'Action', open: () => goDo(label, path) })),
    ...ownActs(),
  ].filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(text.trim().toLowerCase()))
}

/** What the service finds, a moment after typing has paused. */
const useFound = ({ find }: Console, text: string) => {
  const [found, setFound] = useState<{ of: string; items: Found[] }>({ of: '', items: [] })
  useEffect(() => {
    if (!text.trim()) return setFound({ of: text, items: [] })
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const items = await find(text.trim(), ending.signal).catch(() => [])
      if (!ending.signal.aborted) setFound({ of: text, items })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text])
  return { items: found.items, isWaiting: found.of !== text }
}

const Search = ({ console }: { console: Console }) => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { route } = useLocation()
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const { items, isWaiting } = useFound(console, text)
  const found = items.map(({ label, detail, href }) => ({ label, detail, open: () => route(href) }))
  const all = [...useOwn(console, text), ...found]
  const current = Math.min(at, all.length - 1)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (entry: Entry | undefined) => {
    if (!entry) return
    close()
    entry.open()
  }
  const onKey = (event: KeyboardEvent) => {
    const next: Record<string, number> = { ArrowDown: current + 1, ArrowUp: current - 1 }
    const target = next[event.key]
    if (event.key === 'Enter') open(all[current])
    else if (target !== undefined) setAt((target + all.length) % Math.max(1, all.length))
    else return
    event.preventDefault()
  }
  return (
    <div class="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Search or jump to…"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={all[current] ? `${id}-${current}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Type a name…"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div ref={list} id={id} class="palette-list" role="listbox" aria-label="Results">
        {all.map((entry, n) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, whose keys choose among the options
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={`${entry.detail} ${entry.label}`}
            id={`${id}-${n}`}
            class="palette-item"
            role="option"
            aria-selected={n === current}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(entry)}
          >
            <span class="palette-label">{entry.label}</span>
            <span class="quiet">{entry.detail}</span>
          </div>
        ))}
      </div>
      {isWaiting && text.trim() && <Skeleton lines={2} />}
      {!isWaiting && all.length === 0 && <p class="quiet">Nothing found.</p>}
    </div>
  )
}
