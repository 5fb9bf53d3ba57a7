import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { addressOf, type Console, type Found } from './console.ts'
import { useSession } from './session.ts'

const isOpen = signal(false)
export const openPalette = () => {
  isOpen.value = true
}
const close = () => {
  isOpen.value = false
}

const pauseMs = 150

/** "Search or jump to…": the screens of the console, and whatever the service finds. */
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

const useScreens = (console: Console, text: string): Found[] => {
  const { can } = useSession()
  return console.screens
    .filter(({ nav, needs }) => nav && (!needs || can(needs)))
    .map(({ nav, path }) => ({ label: nav?.label ?? '', detail: 'Screen', href: addressOf(path) }))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
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
  const all = [...useScreens(console, text), ...items]
  const current = Math.min(at, all.length - 1)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (found: Found | undefined) => {
    if (!found) return
    close()
    route(found.href)
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
        {all.map((found, n) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, whose keys choose among the options
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={found.href}
            id={`${id}-${n}`}
            class="palette-item"
            role="option"
            aria-selected={n === current}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(found)}
          >
            <span class="palette-label">{found.label}</span>
            <span class="quiet">{found.detail}</span>
          </div>
        ))}
      </div>
      {isWaiting && text.trim() && <Skeleton lines={2} />}
      {!isWaiting && all.length === 0 && <p class="quiet">Nothing found.</p>}
    </div>
  )
}
