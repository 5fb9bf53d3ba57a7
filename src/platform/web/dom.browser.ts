/** An element that the page is known to have. */
export const find = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector)
  if (!element) throw new Error(`The page has no ${selector}`)
  return element
}

export const findAll = <E extends HTMLElement = HTMLElement>(selector: string): E[] => [
  ...document.querySelectorAll<E>(selector),
]
