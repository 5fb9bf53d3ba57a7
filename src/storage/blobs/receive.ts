import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError, badRequest } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Engine } from './engine.ts'
import { sumPieces } from './pieces.ts'

/** Bytes that are stored, but that no row refers to yet. */
export type NewBlob = {
  id: string
  size: number
  md5: Buffer
  /** The bytes of a small blob, which is stored in its row. */
  data: Buffer | null
  /** The checksums of the pieces of a large blob. */
  pieceSums: Buffer | null
}

/** Blobs of up to this size are stored in their row: one durable write instead of three. */
export const inlineBytes = 8 * 1024
/** Blobs of up to this size are always read, and verified, as a whole. */
export const wholeBytes = 1024 * 1024

export type Bounds = {
  max: number
  announced?: number | undefined
  digests?: Digest[]
  /** Called with the number of bytes so far; rejects if there is no room for them. */
  grow?: (total: number) => Promise<void> | undefined
}
export type Digest = { algorithm: string; expected: Buffer; header: string }

/** Throws 413 and closes the connection, because the rest of the body will not be read. */
export const tooLarge = (max: number): never => {
  throw new AppError(413, `The upload must have at most ${max} bytes`, { headers: { connection: 'close' } })
}

/** Hashes the chunks that pass; throws if they are too many or do not match a digest. */
const checked = async function* (
  source: AsyncIterator<Buffer>,
  { max, digests = [], grow }: Bounds,
  seen: Seen,
) {
  const promised = digests.map(({ algorithm }) => createHash(algorithm))
  for (;;) {
    const { value, done } = await source.next()
    if (done) break
    seen.size += value.length
    if (seen.size > max) tooLarge(max)
    await grow?.(seen.size)
    seen.md5.update(value)
    seen.pieces?.add(value)
    for (const hash of promised) hash.update(value)
    yield value
  }
  for (const [index, { expected, header }] of digests.entries())
    if (!promised[index]?.digest().equals(expected)) badRequest(`${header} does not match the content`)
}
type Seen = { size: number; md5: Hash; pieces: ReturnType<typeof sumPieces> | null }

const chain = async function* (head: Buffer[], rest: AsyncIterator<Buffer>) {
  yield* head
  for (;;) {
    const { value, done } = await rest.next()
    if (done) return
    yield value
  }
}

const isBroken = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as { code: string }).code)

/**
 * Receives a body and stores it durably; no row refers to it yet. On failure the source is not destroyed, so that a
 * response can still be sent on the connection.
 */
export const receive = async (engine: Engine, source: Readable | null, bounds: Bounds): Promise<NewBlob> => {
  const { announced } = bounds
  const id = uuidv7()
  const maybeLarge = announced === undefined || announced > wholeBytes
  const seen: Seen = { size: 0, md5: createHash('md5'), pieces: maybeLarge ? sumPieces() : null }
  const bytes = source ? source.iterator({ destroyOnReturn: false }) : noBytes()
  const chunks = checked(bytes as AsyncIterator<Buffer>, bounds, seen)
  try {
    const head: Buffer[] = []
    let length = 0
    while (length <= inlineBytes) {
      const { value, done } = await chunks.next()
      if (done)
        return { id, size: length, md5: seen.md5.digest(), data: Buffer.concat(head), pieceSums: null }
      head.push(value)
      length += value.length
    }
    await engine.write(id, chain(head, chunks))
    const pieceSums = seen.size > wholeBytes ? (seen.pieces?.result() ?? null) : null
    return { id, size: seen.size, md5: seen.md5.digest(), data: null, pieceSums }
  } catch (error) {
    await bytes.return?.(undefined)
    source?.resume()
    if (isBroken(error)) throw new AppError(400, 'The body ended before it was complete', { cause: error })
    throw error
  }
}

const noBytes = async function* (): AsyncGenerator<Buffer> {}
