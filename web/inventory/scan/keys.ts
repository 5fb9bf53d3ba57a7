import { useEffect, useRef } from 'preact/hooks'

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

/** What a scanner needs for a key at most, on average; people need more. */
const scannerMs = 30
/** Fewer keys may be pressed together by chance. */
const fewestKeys = 3

/** Keys that put something into a field. Android calls all of them unidentified. */
const isTyping = ({ key }: KeyboardEvent) => key.length === 1 || key === 'Unidentified'

const beginsAnew = (input: HTMLInputElement) =>
  document.activeElement !== input || input.selectionEnd! - input.selectionStart! === input.value.length

/**
 * Tells a scanner from somebody who types: by its speed, whatever the code is. Returns whether a text that ends with this
 * Enter came from a scanner.
 */
export const usePace = (input: { current: HTMLInputElement | null }) => {
  const began = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    // The first key may be pressed before the field has the focus.
    const onKey = (event: KeyboardEvent) => {
      if (input.current && isTyping(event) && beginsAnew(input.current)) began.current = event.timeStamp
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return ({ timeStamp }: KeyboardEvent, { length }: string) =>
    length >= fewestKeys && timeStamp - began.current < length * scannerMs
}
