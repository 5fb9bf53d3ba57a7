import { useRef } from 'preact/hooks'
import { useQueryParams } from './query-state.ts'

/**
 * Pages of a list that goes on by cursors. The cursor is in the address, so that a page can be reloaded; the way back is
 * remembered, and leads to the first page after a reload.
 */
export const useCursorPages = (name = 'cursor') => {
  const [query, change] = useQueryParams()
  const before = useRef<(string | null)[]>([])
  const cursor = query[name]
  return {
    cursor,
    hasPrevious: cursor !== undefined,
    goNext(next: string) {
      before.current.push(cursor ?? null)
      change({ [name]: next }, { push: true })
    },
    goBack() {
      change({ [name]: before.current.pop() ?? null }, { push: true })
    },
  }
}
