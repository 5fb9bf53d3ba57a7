import { signal } from '@preact/signals'
import { X } from 'lucide-preact'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { describeError } from './errors.ts'
import { PlainOrder } from './plain-order.tsx'

type Toast = { id: number; text: string; undo?: () => unknown; bad?: boolean }

const shown = signal<Toast[]>([])
let lastId = 0

const remove = (id: number) => {
  shown.value = shown.value.filter((toast) => toast.id !== id)
}

/** Says for a moment what has been done, and offers to undo it. */
export const toast = (text: string, { undo, bad }: { undo?: () => unknown; bad?: boolean } = {}) => {
  const id = ++lastId
  shown.value = [...shown.value.slice(-2), { id, text, ...(undo ? { undo } : {}), ...(bad ? { bad } : {}) }]
  setTimeout(() => remove(id), undo || bad ? 10_000 : 5_000)
}

/** For what was done at once and then failed. */
export const toastError = (error: unknown) => {
  const { title, message } = describeError(error)
  toast(`${title}: ${message}`, { bad: true })
}

/** Where toasts appear; once in the frame. As a popover it lies above dialogs. */
export function Toasts() {
  const element = useRef<HTMLDivElement>(null)
  const toasts = shown.value
  useEffect(() => {
    // Shown anew each time, so that it is above a dialog that was opened meanwhile.
    element.current?.hidePopover()
    if (toasts.length > 0) element.current?.showPopover()
  }, [toasts])
  const undo = async ({ id, undo }: Toast) => {
    remove(id)
    try {
      await undo?.()
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div ref={element} class="toasts" popover="manual">
      <div role="status" aria-live="polite">
        {toasts.map((one) => (
          <div key={one.id} class={one.bad ? 'toast bad' : 'toast'}>
            <span class="toast-text">
              <PlainOrder text={one.text} />
            </span>
            {one.undo && (
              <button class="toast-undo" type="button" onClick={() => undo(one)}>
                Undo
              </button>
            )}
            <IconButton label="Dismiss" icon={X} onClick={() => remove(one.id)} />
          </div>
        ))}
      </div>
    </div>
  )
}
