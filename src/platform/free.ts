/**
 * Frees the memory of bytes that nobody needs any more. V8 would first mark everything that is alive, again and again
 * while buffers arrive: a third of the CPU time of a large upload. Memory of which the bytes are only a part is left to it.
 */
export const free = ({ length, buffer }: Buffer) => {
  if (length > 0 && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
