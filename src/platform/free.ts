/**
 * Frees the memory of bytes that nobody needs any more. V8 would do so only after it has marked everything that is alive,
 * for every few hundred buffers that arrive: a third of the CPU time of a large upload. Memory of which the bytes are only
 * a part is left to it.
 */
export const free = ({ length, buffer }: Buffer) => {
  if (length > 0 && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
