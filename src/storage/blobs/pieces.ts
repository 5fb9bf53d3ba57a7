import { crc32 } from 'node:zlib'

/** Every piece of a large blob has a checksum of its own, so that a range can be verified piece by piece. */
const pieceBytes = 256 * 1024
const sumBytes = 4

/** Computes the checksums of all pieces of a blob from its chunks. */
export const sumPieces = () => {
  const sums: number[] = []
  let [sum, filled] = [0, 0]
  const end = () => {
    sums.push(sum)
    sum = 0
    filled = 0
  }
  return {
    add(chunk: Uint8Array) {
      for (let at = 0; at < chunk.length; ) {
        const some = chunk.subarray(at, at + pieceBytes - filled)
        sum = crc32(some, sum)
        filled += some.length
        at += some.length
        if (filled === pieceBytes) end()
      }
    },
    result(): Buffer {
      if (filled > 0) end()
      const bytes = Buffer.alloc(sums.length * sumBytes)
      for (const [index, value] of sums.entries()) bytes.writeUInt32BE(value, index * sumBytes)
      return bytes
    },
  }
}

/** The pieces that contain the bytes from `start` to `end`, and where their checksums are. */
export const piecesAround = (start: number, end: number, size: number) => {
  const [first, last] = [Math.floor(start / pieceBytes), Math.floor(end / pieceBytes)]
  return {
    start: first * pieceBytes,
    end: Math.min((last + 1) * pieceBytes, size) - 1,
    sums: { offset: first * sumBytes, length: (last - first + 1) * sumBytes },
  }
}

const joined = (buffers: Buffer[]) => (buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers))

const inPieces = async function* (source: AsyncIterable<Buffer>) {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    let rest = chunk
    while (length + rest.length >= pieceBytes) {
      const some = rest.subarray(0, pieceBytes - length)
      yield joined([...waiting, some])
      rest = rest.subarray(some.length)
      waiting = []
      length = 0
    }
    if (rest.length > 0) waiting.push(rest)
    length += rest.length
  }
  if (length > 0) yield joined(waiting)
}

/** Yields each piece that matches its checksum; calls `damaged` at the first that does not. */
export const comparePieces = async function* (
  source: AsyncIterable<Buffer>,
  sums: Buffer,
  damaged: () => Promise<never>,
) {
  let at = 0
  for await (const piece of inPieces(source)) {
    if (at >= sums.length || crc32(piece) !== sums.readUInt32BE(at)) await damaged()
    at += sumBytes
    yield piece
  }
  if (at !== sums.length) await damaged()
}
