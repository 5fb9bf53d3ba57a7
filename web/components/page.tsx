import { signal } from '@preact/signals'
import { ChevronRight } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { PlainOrder } from './plain-order.tsx'

export type Crumb = { label: string; href: string }

export type PageProps = {
  title: string
  /** Beside the title; its first step as a primary button. */
  actions?: ComponentChildren
  breadcrumb?: Crumb[]
  tabs?: ComponentChildren
  /** Under the title: a sentence, or facts in short. */
  text?: ComponentChildren
  children?: ComponentChildren
}

/** Ends every title: the frame puts the name of the service here. */
export const siteName = signal('')

/** Whether a navigation has happened: a first load does not move the focus. */
let hasNavigated = false
let focusWanted = false

/** Called by a navigation; the page that appears then takes the focus. */
export const wantPageFocus = () => {
  hasNavigated = true
  focusWanted = true
}

const isFocusLost = () => hasNavigated && document.activeElement === document.body

/** A screen: its heading, its title in the browser, and the focus after a navigation. */
export function Page({ title, actions, breadcrumb, tabs, text, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const site = siteName.value
  useEffect(() => {
    document.title = [title, site].filter(Boolean).join(' · ')
  }, [title, site])
  const focus = () => heading.current?.focus({ preventScroll: true })
  useEffect(() => {
    if (focusWanted) focus()
    focusWanted = false
  })
  // It takes the place of another page, such as the skeleton of a screen that was being loaded, which had the focus.
  useEffect(() => {
    if (isFocusLost()) focus()
  }, [])
  return (
    <div class="page">
      {breadcrumb && breadcrumb.length > 0 && <Breadcrumb items={breadcrumb} label="Breadcrumb" />}
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            <PlainOrder text={title} />
          </h1>
          {text && <div class="page-text">{text}</div>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {tabs}
      <div class="page-body">{children}</div>
    </div>
  )
}

function Breadcrumb({ items, label }: { items: Crumb[]; label: string }) {
  return (
    <nav class="breadcrumb" aria-label={label}>
      <ol>
        {items.map(({ label: text, href }) => (
          <li key={href}>
            <a href={href}>
              <PlainOrder text={text} />
            </a>
            <ChevronRight size={14} aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  )
}
