import { signal } from '@preact/signals'
import { Button } from '#web/components/button.tsx'
import { isAsking } from '#web/components/confirm.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { count } from '#web/components/format.ts'
import { ProgressBar } from '#web/components/meter.tsx'
import { asking } from '#web/frame/session.ts'

type Work = { title: string; done: number; total: number | null; cancel(): void }

export type Progressing = {
  signal: AbortSignal
  onDone(done: number): void
  onTotal(total: number): void
}

const shown = signal<Work | null>(null)
/** What is done sooner needs no dialog. */
const patienceMs = 600

/** Does something that may take long: after a moment a dialog shows how far it is, and can end it. */
export const work = async <Result,>(title: string, run: (progress: Progressing) => Promise<Result>) => {
  const ending = new AbortController()
  const cancel = () => ending.abort(new DOMException('Cancelled', 'AbortError'))
  let state: Work = { title, done: 0, total: null, cancel }
  let isShown = false
  const update = (change: Partial<Work>) => {
    state = { ...state, ...change }
    if (isShown) shown.value = state
  }
  const timer = setTimeout(() => {
    isShown = true
    shown.value = state
  }, patienceMs)
  try {
    return await run({
      signal: ending.signal,
      onDone: (done) => update({ done }),
      onTotal: (total) => update({ total }),
    })
  } finally {
    clearTimeout(timer)
    if (isShown) shown.value = null
  }
}

/**
 * Where such work appears; once in the screen. Nothing else opens by itself, so it gives way to whatever asks: work that
 * waits for an answer would otherwise lie on top of the question and never end.
 */
export function Working() {
  const work = shown.value
  if (!work || isAsking.value || asking.value) return null
  const { title, done, total, cancel } = work
  const text = total === null ? 'Looking for objects…' : `${count(done)} of ${count(total)}`
  return (
    <Dialog title={title} onClose={cancel}>
      <p role="status">{text}</p>
      <ProgressBar label={title} value={done} max={total} text={text} />
      <div class="form-actions">
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </Dialog>
  )
}
