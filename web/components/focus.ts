/** Whether keys belong to what has the focus: a field, or something with keys of its own. */
export const takesKeys = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest(
    'input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable], [role=menu], [role=listbox], [role=application]',
  ) !== null

/** Arrows, Home and End move between the elements that a selector finds. */
export const moveFocus = (
  event: KeyboardEvent,
  within: Element | null,
  selector: string,
  [back, forth] = ['ArrowUp', 'ArrowDown'],
) => {
  const elements = [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])]
  const at = elements.indexOf(document.activeElement as HTMLElement)
  const last = elements.length - 1
  const next: Record<string, number> = {
    [forth as string]: at === last ? 0 : at + 1,
    [back as string]: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  }
  const target = next[event.key]
  if (target === undefined) return
  event.preventDefault()
  event.stopPropagation()
  elements[target]?.focus()
}
