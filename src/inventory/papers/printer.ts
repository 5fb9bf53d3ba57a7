import { Worker } from 'node:worker_threads'
import { tooManyRequests, unavailable } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Label, LabelQuery, Paper, PaperSize } from './schema.ts'

export type PrintJob = { paper: Paper; size: PaperSize } | { label: Label; query: LabelQuery }
export type Printed = { pdf: Uint8Array<ArrayBuffer> } | { failure: string }

const mostWaiting = 20
const mostOfOne = 2
const maxMemoryMb = 256
const program = new URL('./print-worker.ts', import.meta.url)

/**
 * Draws on a thread of its own, because a paper of many lines takes a second of a processor. The thread is started when
 * somebody prints, and ended when nobody has printed for a while, because the libraries that draw are large.
 */
export const createPrinter = ({ longestMs = 20_000, idleMs = 60_000 } = {}) => {
  let thread: Worker | undefined
  /** Whose papers wait or are being drawn, one entry for each. */
  let waiting: string[] = []
  let previous: Promise<unknown> = Promise.resolve()

  const stop = async () => {
    const stopped = thread
    thread = undefined
    await stopped?.terminate()
  }
  let ending: NodeJS.Timeout | undefined

  const start = () => {
    const started = new Worker(program, {
      name: 'printing',
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    })
    started.unref()
    // Its end follows, and is told to whoever waits for a paper.
    started.on('error', () => {})
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }

  const draw = async (job: PrintJob) => {
    clearTimeout(ending)
    thread ??= start()
    const drawing = thread
    const slow = setTimeout(() => void stop(), longestMs).unref()
    const printed = await new Promise<Printed | undefined>((resolve) => {
      const settle = (result?: Printed) => {
        drawing.off('message', settle)
        drawing.off('exit', ended)
        resolve(result)
      }
      const ended = () => settle()
      drawing.on('message', settle)
      drawing.on('exit', ended)
      drawing.postMessage(job)
    })
    clearTimeout(slow)
    ending = setTimeout(() => void stop(), idleMs).unref()
    if (!printed) return unavailable('The paper could not be drawn')
    if ('failure' in printed) throw new Error(`A paper could not be drawn: ${printed.failure}`)
    return Buffer.from(printed.pdf.buffer)
  }

  return {
    /** One at a time, and only a few of one person, for the sake of the others. */
    async print(person: string, job: PrintJob) {
      if (waiting.filter((each) => each === person).length >= mostOfOne)
        tooManyRequests('You are printing too much at once', { headers: { 'retry-after': '1' } })
      if (waiting.length >= mostWaiting) unavailable('Too much is being printed at the moment')
      waiting.push(person)
      const current = previous.then(() => draw(job))
      previous = current.catch(() => {})
      try {
        return await current
      } finally {
        waiting = waiting.toSpliced(waiting.indexOf(person), 1)
      }
    },
    /** The thread that draws; tests end it. */
    get thread() {
      return thread
    },
    close() {
      clearTimeout(ending)
      return stop()
    },
  }
}

export const printer = moduleState(() => createPrinter())
