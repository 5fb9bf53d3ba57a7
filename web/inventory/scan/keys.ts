import { useEffect } from 'preact/hooks'

/**
 * A hand scanner types the group separator of a GS1 code as Ctrl and ], which no field takes. This puts it where the
 * cursor is, as if it had been typed. Returns whether it did.
 */
export const typeSeparator = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
  const isSeparator =
    event.ctrlKey && (event.key === ']' || event.key === '\u001D' || event.code === 'BracketRight')
  if (!isSeparator) return false
  event.preventDefault()
  const input = event.currentTarget
  const end = input.value.length
  input.setRangeText('\u001D', input.selectionStart ?? end, input.selectionEnd ?? end, 'end')
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  return true
}

const takesText = (element: Element | null) =>
  element?.matches('input, select, textarea, [contenteditable], [role=menu] *, [role=menuitem]') ?? false

/** Keys that mean something of their own wherever the focus is. */
const isText = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !' /?'.includes(key) && !ctrlKey && !metaKey && !altKey

/** What is typed while no field has the focus goes into this one: a scanner is used without looking where the cursor is. */
export const useScannerFocus = (input: { current: HTMLInputElement | null }, isWanted = true) => {
  useEffect(() => {
    if (!isWanted) return
    const onKey = (event: KeyboardEvent) => {
      const field = input.current
      const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? null
      if (!field || !isText(event) || takesText(document.activeElement)) return
      if (field.closest('dialog') === top) field.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isWanted])
}
