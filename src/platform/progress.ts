import { printable } from './printable.ts'

/** Tells how far a long operation has come, such as "212 of 474 orders". */
export type Report = (step: string) => void

/** For callers that nobody watches. */
export const unreported: Report = () => {}

export type ProgressOutput = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const clearLine = '\r\x1b[2K'
const redrawMs = 250
/** Elsewhere than on a terminal: after the first second, then every fifth. */
const [tickMs, ticksPerLine] = [1_000, 5]
const stalledMs = 60_000

type Shown = {
  line(): string
  /** Changes whenever there is progress; by default the line itself. */
  mark?(): unknown
}

/**
 * Shows progress: on a terminal as one line that is updated, elsewhere as a new line every few seconds. It mentions when
 * there has been none for a minute.
 */
export const showProgress = ({ line, mark = line }: Shown, output: ProgressOutput = process.stderr) => {
  let ended = false
  let ticks = 0
  let [last, changedAt] = [undefined as unknown, performance.now()]
  const current = () => {
    const seen = mark()
    if (seen !== last) [last, changedAt] = [seen, performance.now()]
    const idle = performance.now() - changedAt
    return idle < stalledMs ? line() : `${line()} (no progress for ${Math.round(idle / 1000)} s)`
  }
  const show = () => {
    const text = printable(current())
    if (output.isTTY) output.write(`${clearLine}${text.slice(0, (output.columns || 80) - 1)}`)
    else if (ticks++ % ticksPerLine === 0) output.write(`${text}\n`)
  }
  const timer = setInterval(show, output.isTTY ? redrawMs : tickMs)
  timer.unref()
  return {
    end() {
      if (ended) return
      ended = true
      clearInterval(timer)
      if (output.isTTY) output.write(clearLine)
    },
  }
}

/** Shows the step that was reported last, after a title. */
export const showSteps = (title: string, output?: ProgressOutput) => {
  let step = ''
  const { end } = showProgress({ line: () => (step ? `${title}: ${step}` : `${title} …`) }, output)
  const report: Report = (text) => {
    step = text
  }
  return { report, end }
}
