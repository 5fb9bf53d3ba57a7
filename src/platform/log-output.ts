import { write, writeSync } from 'node:fs'

/** A line, or what makes one when it is written: making many at once costs a fraction of making each in its turn. */
type Line = string | (() => string)

const chunkLines = 1_000
const waitMs = 250
/** A reader that has stalled costs lines, never the server's memory. */
const maxWaiting = 100_000
const retryMs = 50

const textOf = (lines: readonly Line[]) =>
  lines.map((line) => (typeof line === 'string' ? line : line())).join('')

/**
 * Standard output for many short lines: they are gathered and written together, beside the work of the server, so
 * that a line costs no system call of its own. Nothing is lost at an ordinary exit.
 */
export const lineOutput = (fd: number, immediate: boolean) => {
  let waiting: Line[] = []
  let writing: Buffer | null = null
  let timer: NodeJS.Timeout | undefined
  let done: (() => void)[] = []

  const take = () => {
    const bytes = Buffer.from(textOf(waiting))
    waiting = []
    return bytes
  }
  const settle = () => {
    const waiters = done
    done = []
    for (const each of waiters) each()
  }

  /** Begins to write what waits, unless a write is under way, which goes on with it when it is over. */
  const drain = () => {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    if (waiting.length === 0) return settle()
    writing = take()
    carryOn(0)
  }
  const carryOn = (from: number) => {
    const bytes = writing as Buffer
    write(fd, bytes, from, bytes.length - from, null, (error, count) => {
      if (error?.code === 'EAGAIN') return void setTimeout(() => carryOn(from), retryMs)
      if (!error && from + count < bytes.length) return carryOn(from + count)
      // After any other error whoever read this is gone; there is nobody to tell.
      writing = null
      if (waiting.length >= chunkLines || done.length > 0) drain()
      else if (waiting.length > 0) schedule()
    })
  }
  const schedule = () => {
    timer ??= setTimeout(drain, waitMs).unref()
  }

  const flushSync = () => {
    let rest = take()
    // A reader that has stalled must not keep a process from ending.
    const giveUp = Date.now() + waitMs
    while (rest.length > 0 && Date.now() < giveUp) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      }
    }
  }
  process.once('exit', flushSync)

  const add = (line: Line) => {
    if (waiting.length >= maxWaiting) return
    waiting.push(line)
    if (immediate) flushSync()
    else if (waiting.length < chunkLines) schedule()
    else drain()
  }
  return {
    write: (line: string) => add(line),
    gather: (line: () => string) => add(line),
    flushSync,
    flush(callback: () => void) {
      done.push(callback)
      drain()
    },
  }
}
