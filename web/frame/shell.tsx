import { Menu as MenuIcon, Search } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { AccountMenu } from './account-menu.tsx'
import { addressOf, type Console, instanceName, type Screen } from './console.ts'
import { Help } from './help.tsx'
import { startLive } from './live.ts'
import { Mark } from './mark.tsx'
import { openPalette, Palette } from './palette.tsx'
import { CurrentScreen, preload } from './screens.tsx'
import { useSession } from './session.ts'

/** Everything around a screen, for those who are signed in. */
export function Shell({ console }: { console: Console }) {
  useEffect(() => startLive(console), [console])
  const [isOpen, setOpen] = useState(false)
  const { url } = useLocation()
  useEffect(() => setOpen(false), [url])
  const { Panel } = console
  return (
    <div class={isOpen ? 'shell nav-open' : 'shell'}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="topbar">
        <button
          type="button"
          class="menu-button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <MenuIcon size={20} aria-hidden="true" />
          Menu
        </button>
        <a class="brand-link" href={addressOf('/')}>
          <Mark />
          <span>
            {instanceName()} <span>{console.title}</span>
          </span>
        </a>
        <button type="button" class="palette-button" onClick={openPalette}>
          <Search size={16} aria-hidden="true" />
          <span>Search or jump to…</span>
          <span class="shortcut" aria-hidden="true">
            {shortcut}
          </span>
        </button>
        <AccountMenu />
      </header>
      <Navigation console={console} isOpen={isOpen} onClose={() => setOpen(false)} />
      <main id="content" tabIndex={-1}>
        <CurrentScreen console={console} />
      </main>
      {Panel && <Panel />}
      <Palette console={console} />
      <Help />
    </div>
  )
}

const shortcut = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

type NavigationProps = { console: Console; isOpen: boolean; onClose: () => void }

const Navigation = ({ console, isOpen, onClose }: NavigationProps) => {
  const nav = useRef<HTMLElement>(null)
  const { can } = useSession()
  const { path } = useLocation()
  useEffect(() => {
    if (!isOpen) return
    nav.current?.querySelector('a')?.focus()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  const isCurrent = (screen: Screen) => {
    const address = addressOf(screen.path)
    return path === address || path.startsWith(`${address}/`)
  }
  return (
    <>
      <nav id="navigation" ref={nav} aria-label="Main">
        <ul>
          {console.screens.map(
            (screen) =>
              screen.nav &&
              (!screen.needs || can(screen.needs)) && (
                <li key={screen.path}>
                  <a
                    href={addressOf(screen.path)}
                    aria-current={isCurrent(screen) ? 'page' : undefined}
                    onPointerEnter={() => void preload(screen).catch(() => {})}
                  >
                    <screen.nav.icon size={18} aria-hidden="true" />
                    {screen.nav.label}
                  </a>
                </li>
              ),
          )}
        </ul>
      </nav>
      {isOpen && <div class="nav-shade" onClick={onClose} aria-hidden="true" />}
    </>
  )
}
