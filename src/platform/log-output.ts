import { write, writeSync } from 'node:fs'

const chunkLength = 32 * 1024
const waitMs = 250
/** A reader that has stalled costs lines, never the server's memory. */
const maxWaiting = 16 * 1024 * 1024
const retryMs = 50

/**
 * Standard output for many short lines: they are gathered and written together, beside the work of the server, so
 * that a line costs no system call of its own. Nothing is lost at an ordinary exit.
 */
export const lineOutput = (fd: number, immediate: boolean) => {
  let waiting = ''
  let writing: Buffer | null = null
  let timer: NodeJS.Timeout | undefined
  let done: (() => void)[] = []

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
    if (waiting === '') return settle()
    writing = Buffer.from(waiting)
    waiting = ''
    carryOn(0)
  }
  const carryOn = (from: number) => {
    const bytes = writing as Buffer
    write(fd, bytes, from, bytes.length - from, null, (error, count) => {
      if (writing !== bytes) return
      if (error?.code === 'EAGAIN') return void setTimeout(() => carryOn(from), retryMs)
      if (!error && from + count < bytes.length) return carryOn(from + count)
      // Whoever read this is gone; there is nobody to tell.
      writing = null
      if (waiting.length >= chunkLength || done.length > 0) drain()
      else if (waiting !== '') schedule()
    })
  }
  const schedule = () => {
    timer ??= setTimeout(drain, waitMs).unref()
  }

  const flushSync = () => {
    let rest = Buffer.from(waiting)
    waiting = ''
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      }
    }
  }
  process.once('exit', flushSync)

  return {
    write(line: string) {
      if (waiting.length > maxWaiting) return
      waiting += line
      if (immediate) flushSync()
      else if (waiting.length < chunkLength) schedule()
      else drain()
    },
    flushSync,
    flush(callback: () => void) {
      done.push(callback)
      drain()
    },
  }
}
