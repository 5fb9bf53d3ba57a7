import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'

/**
 * Moves what a page shows to another status. The button that was pressed is busy until the page shows the new status.
 * The others are disabled until then, because what they offer may no longer be possible.
 */
export const useMove = <Status extends string>(queryKey: string[]) => {
  const queries = useQueryClient()
  const [target, setTarget] = useState<Status | null>(null)
  const reload = () => queries.invalidateQueries({ queryKey })

  /** Returns what `change` returns. If it fails, the buttons are ready again at once. */
  const move = async <T>(to: Status, change: () => Promise<T>): Promise<T> => {
    setTarget(to)
    try {
      const changed = await change()
      await reload()
      return changed
    } catch (error) {
      void reload()
      throw error
    } finally {
      setTarget(null)
    }
  }
  const buttonTo = (status: Status) => ({
    busy: target === status,
    disabled: target !== null && target !== status,
  })
  return { move, buttonTo }
}
