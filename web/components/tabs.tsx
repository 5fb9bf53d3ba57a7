import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { moveFocus } from './focus.ts'
import { count } from './format.ts'

export type Tab = { label: string; href: string; count?: number | undefined }

/** Tabs that are addresses: each can be shared, opened in another window and gone back from. */
export function Tabs({ label, items }: { label: string; items: Tab[] }) {
  const list = useRef<HTMLDivElement>(null)
  const { path, url } = useLocation()
  const isCurrent = ({ href }: Tab) =>
    href.includes('?')
      ? `${url}` === href
      : (path === href && !items.some((one) => one.href === url)) || url === href
  // On a phone only some of them are in view.
  useEffect(() => {
    const tabs = list.current
    const selected = tabs?.querySelector<HTMLElement>('[aria-selected=true]')
    if (tabs && selected)
      tabs.scrollLeft = selected.offsetLeft - (tabs.clientWidth - selected.offsetWidth) / 2
  }, [url])
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, list.current, '[role=tab]', ['ArrowLeft', 'ArrowRight'])}
    >
      {items.map((tab) => (
        <a
          key={tab.href}
          class="tab"
          role="tab"
          href={tab.href}
          aria-selected={isCurrent(tab)}
          tabIndex={isCurrent(tab) ? 0 : -1}
          aria-description={tab.count === undefined ? undefined : count(tab.count)}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span class="tab-count" aria-hidden="true">
              {count(tab.count)}
            </span>
          )}
        </a>
      ))}
    </div>
  )
}
