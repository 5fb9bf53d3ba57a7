import { X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { confirmDiscard } from './confirm.tsx'
import { PlainOrder } from './plain-order.tsx'
import { hasUnsaved } from './unsaved.ts'

type DialogProps = { title: string; onClose: () => unknown; children: ComponentChildren; wide?: boolean }

const focusFirst = (dialog: HTMLDialogElement) => {
  const control =
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not([disabled])') ??
    dialog.querySelector<HTMLElement>('h2')
  control?.focus()
}

/** A native modal dialog, which keeps the focus inside and gives it back afterwards. */
const Modal = ({ kind, title, onClose, children }: DialogProps & { kind: string }) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const before = document.activeElement
    dialog.showModal()
    focusFirst(dialog)
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  /** By Escape, the cross, or a click beside it; "Cancel" of a form says what it does and needs no question. */
  const leave = async () => {
    if (!hasUnsaved() || (await confirmDiscard())) onClose()
  }
  return (
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target === element.current) void leave()
      }}
      onMouseDown={(event) => event.target === element.current && void leave()}
    >
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id={id} tabIndex={-1}>
            <PlainOrder text={title} />
          </h2>
          <IconButton label="Close" icon={X} onClick={leave} />
        </header>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  )
}

export function Dialog(props: DialogProps) {
  return <Modal {...props} kind={props.wide ? 'dialog wide' : 'dialog'} />
}

/** A panel at the side, for something one looks at beside a list. */
export function Drawer(props: DialogProps) {
  return <Modal {...props} kind={props.wide ? 'drawer wide' : 'drawer'} />
}
