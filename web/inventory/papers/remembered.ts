import { useState } from 'preact/hooks'

/** Storage may be forbidden, so it is only ever tried. */
const stored = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Which of a few sizes somebody prints on: a printer keeps its paper, so the browser keeps the choice. */
export const useRememberedSize = <Size extends string>(key: string, sizes: readonly [Size, ...Size[]]) => {
  const [size, setSize] = useState<Size>(() => sizes.find((one) => one === stored(key)) ?? sizes[0])
  const choose = (choice: string) => {
    const found = sizes.find((one) => one === choice)
    if (!found) return
    setSize(found)
    try {
      localStorage.setItem(key, found)
    } catch {
      // It holds until the page is left.
    }
  }
  return [size, choose] as const
}
