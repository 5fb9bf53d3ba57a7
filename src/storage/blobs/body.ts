import { finished, type Readable } from 'node:stream'

/** A block is complete when it has so many bytes, or the fewer while many bytes are held for other bodies. */
const [largeBlock, smallBlock] = [1024 * 1024, 256 * 1024]
const ample = 64 * 1024 * 1024
let held = 0

const blockSize = () => (held < ample ? largeBlock : smallBlock)

export const lengthOf = (chunks: readonly Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0)

/**
 * Reads a body as events, which cost a fraction of what its iterator does, and pauses it while a complete block waits.
 * `onBytes` is called with the number of bytes so far; if it rejects, so does the reader. The body is never destroyed, so
 * that a response can still be sent on its connection.
 */
export const readBody = (source: Readable, onBytes: (total: number) => Promise<unknown> | undefined) => {
  let chunks: Buffer[] = []
  let [length, total, checked] = [0, 0, 0]
  let end: { error: unknown } | undefined
  let wake = () => {}

  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    total += chunk.length
    held += chunk.length
    if (length >= blockSize()) source.pause()
    wake()
  }
  const stopWaiting = finished(source, { writable: false }, (error) => {
    end = { error }
    wake()
  })
  source.on('data', onData)

  /** Waits until so many bytes are here, or all that there are. */
  const arrived = async (bytes: number) => {
    for (;;) {
      if (total > checked) {
        checked = total
        await onBytes(checked)
      } else if (end?.error) throw end.error
      else if (end || length >= bytes) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }

  const take = () => {
    const taken = chunks
    held -= length
    chunks = []
    length = 0
    if (!end) source.resume()
    return taken
  }

  return {
    arrived,
    /** What is here and was not taken yet, as the chunks in which it arrived. */
    take,
    // Not a getter: V8 gives each object that has one a hidden class of its own.
    size: () => length,
    /** The rest of the body, block by block; only the last block may be short. */
    async *blocks() {
      for (;;) {
        await arrived(blockSize())
        if (length === 0) return
        yield take()
      }
    },
    /** Stops reading; the rest of the body is skipped. */
    close() {
      held -= length
      length = 0
      stopWaiting()
      source.off('data', onData)
      source.resume()
    },
  }
}

export type Body = ReturnType<typeof readBody>
