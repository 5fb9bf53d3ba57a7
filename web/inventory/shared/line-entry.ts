import { useRef } from 'preact/hooks'
import type { Product } from '../api.ts'
import { addLine, type Line } from './lines.ts'

/**
 * Entering lines from the keyboard: product, Enter, quantity, Enter, product, …; Ctrl+Enter sends the form. After a scan
 * the next thing to come is another scan, so that the focus stays with the product.
 */
export const useLineEntry = () => {
  const frame = useRef<HTMLDivElement>(null)
  const productField = useRef<HTMLInputElement | null>(null)
  const toProduct = () => productField.current?.focus()
  const focusQuantity = (at: number) =>
    requestAnimationFrame(() => {
      const quantity = frame.current?.querySelectorAll<HTMLInputElement>('[data-quantity]')[at]
      quantity?.focus()
      quantity?.select()
    })
  return {
    frame,
    toProduct,
    productRef: (input: HTMLInputElement | null) => {
      productField.current = input
    },
    onKey: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      frame.current?.querySelector('form')?.requestSubmit()
    },
    /** The lines with one more unit of a product. */
    add: (lines: Line[], product: Product, unitPrice: string, isScan: boolean) => {
      const { items, at } = addLine(lines, product, unitPrice)
      if (isScan) toProduct()
      else focusQuantity(at)
      return items
    },
  }
}
