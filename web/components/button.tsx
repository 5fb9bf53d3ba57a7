import { Check, Copy, LoaderCircle, type LucideIcon } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAct } from './acts.ts'

export type Icon = LucideIcon
type ButtonKind = 'primary' | 'plain' | 'danger'

type ButtonProps = {
  kind?: ButtonKind
  icon?: Icon
  /** Shows that it is at work and takes no further clicks. */
  busy?: boolean
  disabled?: boolean
  type?: 'button' | 'submit'
  onClick?: (event?: MouseEvent) => unknown
  /** Whether the palette offers it, too, by its text. */
  act?: boolean
  /** Only where the text alone does not say what it is about. */
  label?: string
  autofocus?: boolean
  children: ComponentChildren
}

export function Button({ kind = 'plain', icon, busy, disabled, type, label, ...props }: ButtonProps) {
  const { onClick, act, autofocus, children } = props
  useAct(act ? String(children) : null, () => onClick?.())
  const Shown = busy ? LoaderCircle : icon
  return (
    <button
      class={`button ${kind}${busy ? ' busy' : ''}`}
      type={type ?? 'button'}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-label={label}
      data-autofocus={autofocus || undefined}
      onClick={(event) => (busy ? event.preventDefault() : void onClick?.(event))}
    >
      {Shown && <Shown size={16} aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link that looks like a button, for an address that one goes to from here. */
export function LinkButton({
  kind = 'plain',
  href,
  icon: Shown,
  children,
}: { href: string } & Pick<ButtonProps, 'kind' | 'icon' | 'children'>) {
  return (
    <a class={`button ${kind}`} href={href}>
      {Shown && <Shown size={16} aria-hidden="true" />}
      {children}
    </a>
  )
}

type IconButtonProps = {
  label: string
  icon: Icon
  onClick?: (event: MouseEvent) => unknown
  disabled?: boolean
  busy?: boolean
}

export function IconButton({ label, icon: Shown, onClick, disabled, busy }: IconButtonProps) {
  return (
    <button
      class="icon-button"
      type="button"
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-busy={busy || undefined}
      onClick={(event) => void onClick?.(event)}
    >
      <Shown size={16} aria-hidden="true" />
    </button>
  )
}

/** Without a secure context there is no clipboard, and a browser may refuse it; an invisible field is the only way then. */
const copyText = async (text: string) => {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    copyBySelection(text)
  }
}

const copyBySelection = (text: string) => {
  const field = document.createElement('textarea')
  field.value = text
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** Copies a text, and says so for a moment. `children` is what the button shows; without it, an icon. */
export function CopyButton(props: { text: string; label?: string; children?: ComponentChildren }) {
  const { text, label = 'Copy', children } = props
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (event: MouseEvent) => {
    event.stopPropagation()
    await copyText(text)
    setCopied(true)
  }
  const Shown = copied ? Check : Copy
  return (
    <>
      <button
        class={children ? 'button plain' : 'icon-button'}
        type="button"
        aria-label={label}
        title={children ? undefined : label}
        onClick={copy}
      >
        <Shown size={16} aria-hidden="true" />
        {children}
      </button>
      <span class="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}
