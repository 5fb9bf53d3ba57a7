import { signal } from '@preact/signals'
import { fullTime, relativeTime } from './format.ts'

const ticks = signal(0)
setInterval(() => ticks.value++, 30_000)

/** A moment relative to now, with the full time on hover; it stays true while one looks at it. */
export function When({ at }: { at: string | number | Date | null | undefined }) {
  ticks.value
  if (at === null || at === undefined) return <span class="quiet">Never</span>
  const moment = new Date(at)
  return (
    <time class="when" dateTime={moment.toISOString()} title={fullTime(moment)}>
      {relativeTime(moment)}
    </time>
  )
}
