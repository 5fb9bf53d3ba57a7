type Bytes = Uint8Array<ArrayBuffer>

/** A file or bytes, or a stream, which is read once and cannot be continued after an interruption. */
export type UploadSource = Blob | Bytes | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type Part = { number: number; size: number; read(): Promise<Bytes> }

export const bytesOf = async (source: Blob | Bytes): Promise<Bytes> =>
  source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source

const mebibyte = 1024 * 1024
const mostParts = 10_000

/** Parts of 8 MiB, larger ones for what would have more than 10,000. */
export const partSizeFor = (total: number) =>
  Math.max(8 * mebibyte, Math.ceil(total / mostParts / mebibyte) * mebibyte)

/** Each part is read when it is sent. */
export async function* blobParts(blob: Blob, size: number): AsyncGenerator<Part, void> {
  for (let start = 0, number = 1; start < blob.size; start += size, number++) {
    const slice = blob.slice(start, start + size)
    yield { number, size: slice.size, read: () => bytesOf(slice) }
  }
}

/** Pieces of exactly `size` bytes; the last one may be shorter. */
async function* pieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Bytes, void> {
  let piece = new Uint8Array(size)
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + size - filled)
      piece.set(taken, filled)
      at += taken.byteLength
      filled += taken.byteLength
      if (filled < size) continue
      yield piece
      piece = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield piece.slice(0, filled)
}

/** A stream of at most one piece is sent as a whole. */
export const streamParts = async (
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ first: Bytes; parts: AsyncGenerator<Part, void> | null }> => {
  const rest = pieces(source as AsyncIterable<Uint8Array>, size)
  const { value: first = new Uint8Array() } = (await rest.next()) as { value?: Bytes }
  const { value: second } = (await rest.next()) as { value?: Bytes }
  if (!second) return { first, parts: null }
  const part = (number: number, bytes: Bytes): Part => ({
    number,
    size: bytes.byteLength,
    read: async () => bytes,
  })
  async function* parts() {
    yield part(1, first)
    yield part(2, second as Bytes)
    let number = 2
    for await (const piece of rest) yield part(++number, piece)
  }
  return { first, parts: parts() }
}
