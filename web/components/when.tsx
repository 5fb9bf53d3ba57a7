import { useEffect, useState } from 'preact/hooks'
import { fullTime, relativeTime } from './format.ts'

/** A moment relative to now, with the full time on hover; it stays true while one looks at it. */
export function When({ at }: { at: string | number | Date | null | undefined }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span class="quiet">Never</span>
  const moment = new Date(at)
  return (
    <time class="when" dateTime={moment.toISOString()} title={fullTime(moment)}>
      {relativeTime(moment)}
    </time>
  )
}
