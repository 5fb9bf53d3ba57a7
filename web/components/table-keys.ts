import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { takesKeys } from './focus.ts'

/** What has the focus in a row: what opens it, or the row itself. */
const targetOf = (row: HTMLTableRowElement) => row.querySelector<HTMLElement>('[data-row-focus]') ?? row

/** Arrows move between rows, `/` goes to the search. Enter opens because what has the focus is a link or a button. */
export const useTableKeys = (frame: RefObject<HTMLElement>) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const table = frame.current
      if (!table || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]:not(:has(.data-table))') || takesKeys(event.target)) return
      if (event.key === '/') {
        const search = table.querySelector<HTMLInputElement>('[data-search]')
        if (!search) return
        event.preventDefault()
        return search.focus()
      }
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      const rows = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr:not(.skeleton-row)')]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const isAbove =
        table.querySelector('thead')?.contains(event.target as Node) && event.key === 'ArrowDown'
      const isElsewhere = at < 0 && event.target !== document.body && !isHeading(event.target)
      if (isElsewhere && !isAbove) return
      const row = rows[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]
      if (!row) return
      event.preventDefault()
      targetOf(row).focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [frame])
}

const isHeading = (target: EventTarget | null) => target instanceof Element && target.matches('h1, main')
