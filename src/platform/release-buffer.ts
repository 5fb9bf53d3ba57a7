/** Memory of which one part is still used, and nothing else. */
const remaining = new WeakSet<ArrayBufferLike>()

/** Memory that somebody keeps. */
const kept = new WeakSet<ArrayBufferLike>()

const isWhole = ({ length, buffer }: Buffer) => length === buffer.byteLength

/**
 * Frees the memory of bytes that nobody needs any more. V8 would first mark everything that is alive, again and again
 * while buffers arrive: a third of the CPU time of a large upload. Memory of which the bytes are only a part is left to it,
 * because others may use the rest.
 */
export const releaseBuffer = (bytes: Buffer) => {
  const { length, buffer } = bytes
  if (kept.has(buffer)) return
  if (length > 0 && (isWhole(bytes) || remaining.has(buffer)) && buffer instanceof ArrayBuffer)
    buffer.transfer(0)
}

/** A part of bytes that nobody else needs. `releaseBuffer` then frees all of them with it. */
export const soleUse = (bytes: Buffer, start: number, end: number): Buffer => {
  if (isWhole(bytes)) remaining.add(bytes.buffer)
  return bytes.subarray(start, end)
}

/** Marks bytes whose memory is not to be freed, such as those of a cache. */
export const keep = (bytes: Buffer): Buffer => {
  kept.add(bytes.buffer)
  return bytes
}
