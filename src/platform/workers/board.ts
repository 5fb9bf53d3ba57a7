import { randomUUID } from 'node:crypto'
import { accessSync, constants, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A board on which workers post signals for each other: memory that they share, as a file without a name. Whatever a
 * worker has posted is there for every read that starts later, whether the worker still runs or not (ADR 34).
 *
 * The file begins with a position for each worker, the number of bytes that it has posted so far. After them each
 * worker has a ring that only it writes to: first the signal, then its position.
 */
export type Board = {
  /** Signals of the same moment share two system calls. */
  post(payloads: readonly string[]): void
  /** Delivers what the other workers have posted since the last call. */
  read(): void
}

const positionBytes = Float64Array.BYTES_PER_ELEMENT
const ringBytes = 256 * 1024
/** Who is further behind may find that the rest is overwritten while it reads. A signal has at most 8,000 bytes. */
const maxBehind = ringBytes / 2
const maxAtOnce = ringBytes / 4
/** PostgreSQL has no text with this character in it. */
const end = '\0'

/** Creates an empty board, in the primary process. The workers inherit the file, and it is gone when all have ended. */
export const createBoard = (workers: number): number => {
  const path = join(sharedMemory(), `trivet-board-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  ftruncateSync(file, workers * (positionBytes + ringBytes))
  return file
}

/** In Linux a folder that is never written to a disk. */
const sharedMemory = () => {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}

export type BoardPlace = {
  file: number
  /** How many workers there are, and which of them this one is, from 1. */
  workers: number
  number: number
}

type Reader = {
  deliver(payload: string): void
  /** Called when signals were overwritten before they were read. */
  onGap(): void
}

/** `readSync` or `writeSync`. */
type Move = (file: number, bytes: Buffer, offset: number, length: number, position: number) => number

export const openBoard = ({ file, workers, number }: BoardPlace, { deliver, onGap }: Reader): Board => {
  const own = number - 1
  const posted = new Float64Array(workers)
  const readPositions = () => void readSync(file, posted, 0, posted.byteLength, 0)
  readPositions()
  const seen = posted.slice()
  const ownPosition = posted.slice(own, number)

  /** Reads or writes bytes of a ring, in two pieces where it ends in between. */
  const transfer = (move: Move, ring: number, position: number, bytes: Buffer) => {
    const start = workers * positionBytes + ring * ringBytes
    const offset = position % ringBytes
    const first = Math.min(bytes.length, ringBytes - offset)
    move(file, bytes, 0, first, start + offset)
    if (first < bytes.length) move(file, bytes, first, bytes.length - first, start)
  }

  const isTooFarBehind = (ring: number) => (posted[ring] as number) - (seen[ring] as number) > maxBehind

  const catchUp = (ring: number) => {
    const [from, to] = [seen[ring] as number, posted[ring] as number]
    const bytes = Buffer.allocUnsafe(isTooFarBehind(ring) ? 0 : to - from)
    transfer(readSync, ring, from, bytes)
    readPositions()
    if (isTooFarBehind(ring)) {
      seen[ring] = posted[ring] as number
      return onGap()
    }
    seen[ring] = to
    for (const payload of bytes.toString().split(end).slice(0, -1)) deliver(payload)
  }

  const write = (bytes: Buffer) => {
    transfer(writeSync, own, ownPosition[0] as number, bytes)
    ownPosition[0] = (ownPosition[0] as number) + bytes.length
    writeSync(file, ownPosition, 0, positionBytes, own * positionBytes)
  }

  return {
    post(payloads) {
      const all = payloads.map((payload) => payload + end)
      const bytes = Buffer.from(all.join(''))
      if (bytes.length <= maxAtOnce) write(bytes)
      else for (const payload of all) write(Buffer.from(payload))
    },
    read() {
      readPositions()
      for (let ring = 0; ring < workers; ring++)
        if (ring !== own && (posted[ring] as number) > (seen[ring] as number)) catchUp(ring)
    },
  }
}
