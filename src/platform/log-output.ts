import { pino } from 'pino'

/** Half of what is written at once: the text that waits is copied with every line. */
const minLength = 8_000
/** Writes of up to this many bytes to a pipe are never mixed with those of other processes (PIPE_BUF). */
const atomicWrite = 4_096
const flushEveryMs = 250
/** While a reader of the log is stalled, its lines wait up to here. Further ones are dropped. */
const maxLength = 16 * 1024 * 1024
/** So long a stalled reader can keep a process from ending. */
const exitMs = 250

type OutputOptions = {
  buffered: boolean
  /** Whether other processes write to the same output, whose lines must not be mixed with ours. */
  shared?: boolean
}

const writes = ({ buffered, shared }: OutputOptions) => ({
  // With 0, `flush` would not wait for anything.
  minLength: buffered ? (shared ? atomicWrite / 2 : minLength) : 1,
  ...(shared ? { maxWrite: atomicWrite } : {}),
})

/** Standard output, written beside the work of the server. Nothing is lost at an ordinary exit. */
export const logOutput = (options: OutputOptions) => {
  let isExiting = false
  let giveUpAt = Number.POSITIVE_INFINITY
  const destination = pino.destination({
    fd: 1,
    sync: false,
    ...writes(options),
    maxLength,
    periodicFlush: options.buffered ? flushEveryMs : 0,
    retryEAGAIN: () => performance.now() < giveUpAt,
  })
  // A log that cannot be written cannot report that.
  destination.on('error', () => {})

  const flushSync = () => {
    try {
      destination.flushSync()
    } catch {
      // The reader has closed the pipe, or has stalled.
    }
  }
  // Before the listener of pino, which would wait for a stalled reader without end.
  process.prependOnceListener('exit', () => {
    giveUpAt = performance.now() + exitMs
    isExiting = true
    flushSync()
    destination.destroy()
  })

  return {
    destination,
    write(line: string) {
      if (!isExiting) destination.write(line)
    },
    flushSync,
    /** Waits for the write in progress. What has come since may be left in the buffer, and is written at once. */
    flush(callback: () => void) {
      destination.flush(() => {
        flushSync()
        callback()
      })
    },
  }
}
