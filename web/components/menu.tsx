import { EllipsisVertical } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Icon } from './button.tsx'
import { moveFocus } from './focus.ts'
import { placeBeside } from './place.ts'

export type MenuItem = {
  label: string
  icon?: Icon
  danger?: boolean
  /** For a choice of one among several: whether it is the chosen one. */
  checked?: boolean
  disabled?: boolean
} & (
  | { onSelect: () => unknown; href?: undefined }
  | { href: string; onSelect?: undefined /** Whether it opens in a tab of its own. */; apart?: boolean }
)

type MenuProps = {
  /** The accessible name of the button. */
  label: string
  items: MenuItem[] | (() => MenuItem[])
  /** What the button shows; three dots if not given. */
  children?: ComponentChildren
  class?: string
  /** Above the items, such as who is signed in. */
  head?: ComponentChildren
  /** Below the items. */
  foot?: ComponentChildren
}

/** A button with a menu. The items are only made when it opens, so that a long table stays light. */
export function Menu({ label, items, children, head, foot, class: className }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const id = useId()

  // Before the next key is pressed: what is typed right after opening must not get lost.
  useLayoutEffect(() => {
    if (!isOpen || !popover.current || !button.current) return
    popover.current.showPopover()
    placeBeside(popover.current, button.current)
    popover.current.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const place = () => popover.current && button.current && placeBeside(popover.current, button.current)
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [isOpen])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  /**
   * By Escape or a click beside it. Where the click went keeps the focus. The event `toggle` would be too late: the next key
   * could be pressed before it.
   */
  const closing = ({ newState }: { newState: string }) => {
    if (newState !== 'closed') return
    const { activeElement } = document
    const isLost = activeElement === document.body || popover.current?.contains(activeElement)
    setOpen(false)
    if (isLost) button.current?.focus()
  }
  const choose = (item: MenuItem) => {
    close()
    void item.onSelect?.()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={className ?? 'icon-button'}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(!isOpen)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          event.stopPropagation()
          setOpen(true)
        }}
      >
        {children ?? <EllipsisVertical size={16} aria-hidden="true" />}
      </button>
      {isOpen && (
        <div ref={popover} id={id} class="menu" popover="auto" onBeforeToggle={closing}>
          {head && <div class="menu-head">{head}</div>}
          <div
            role="menu"
            tabIndex={-1}
            aria-label={label}
            onKeyDown={(event) => moveFocus(event, popover.current, '[role^=menuitem]')}
          >
            {(typeof items === 'function' ? items() : items).map((item) => (
              <Item key={item.label} item={item} onChoose={() => choose(item)} />
            ))}
          </div>
          {foot && <div class="menu-foot">{foot}</div>}
        </div>
      )}
    </>
  )
}

const Item = ({ item, onChoose }: { item: MenuItem; onChoose: () => void }) => {
  const { label, icon: Shown, danger, checked, href, disabled } = item
  const shared = {
    class: danger ? 'menu-item danger' : 'menu-item',
    role: checked === undefined ? ('menuitem' as const) : ('menuitemradio' as const),
    tabIndex: -1,
    ...(checked === undefined ? {} : { 'aria-checked': checked }),
  }
  const content = (
    <>
      {Shown && <Shown size={16} aria-hidden="true" />}
      <span>{label}</span>
    </>
  )
  return href === undefined ? (
    <button type="button" {...shared} disabled={disabled} onClick={onChoose}>
      {content}
    </button>
  ) : (
    <a href={href} {...(item.apart && { target: '_blank', rel: 'noopener' })} {...shared} onClick={onChoose}>
      {content}
    </a>
  )
}
