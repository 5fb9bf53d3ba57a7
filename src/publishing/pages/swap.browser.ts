const isPending = new WeakSet<HTMLFormElement>()

const fetchPart = async (form: HTMLFormElement, button: HTMLButtonElement, part: string) => {
  // Not form.action: the buttons have that name.
  const response = await fetch(form.getAttribute('action') ?? '', {
    method: 'POST',
    headers: { 'x-part': part },
    body: new URLSearchParams([...new FormData(form, button)].map(([name, value]) => [name, String(value)])),
    redirect: 'manual',
  })
  if (!response.ok) return null
  return new DOMParser().parseFromString(await response.text(), 'text/html').body.firstElementChild
}

/** Puts the new part in the place of the old one. The focus stays on the button that was pressed. */
const replace = (old: Element, fresh: Element, key: string | undefined) => {
  const hadFocus = old.contains(document.activeElement)
  old.replaceWith(fresh)
  if (hadFocus) fresh.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus({ preventScroll: true })
}

const send = async (form: HTMLFormElement, button: HTMLButtonElement, part: string) => {
  isPending.add(form)
  const fresh = await fetchPart(form, button, part).catch(() => null)
  isPending.delete(form)
  const old = form.closest(part) ?? form.querySelector(part)
  if (fresh && old) return replace(old, fresh, button.dataset.key)
  // Whatever went wrong, the page that a browser without script gets explains it.
  delete button.dataset.swap
  form.requestSubmit(button)
}

/**
 * Buttons with `data-swap` send their form in the background. The response replaces the part of the page they name,
 * which is around the form or in it.
 */
export const setUpSwaps = () =>
  document.addEventListener('submit', (event) => {
    const { target: form, submitter: button } = event
    if (!(form instanceof HTMLFormElement) || !(button instanceof HTMLButtonElement)) return
    const part = button.dataset.swap
    if (!part || event.defaultPrevented) return
    event.preventDefault()
    if (!isPending.has(form)) void send(form, button, part)
  })
