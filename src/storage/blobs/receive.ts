import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Engine } from '#platform/blobs/engine.ts'
import { AppError } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { releaseBuffer } from '#platform/release-buffer.ts'
import type { AlgorithmName } from '../checksums/algorithms.ts'
import { type Body, lengthOf, readBody } from './body.ts'
import { createHasher, type Hasher, type Hashes, localHasher } from './hashing.ts'

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
  /** Whether nobody else holds the chunks of the source, so that their memory can be freed. */
  ownsChunks?: boolean
  /** Called with the number of bytes so far; rejects if there is no room for them. */
  grow?: (total: number) => Promise<void> | undefined
}
/** To be computed of what is received. `check` is called with it at the end, and throws if it is not what it should be. */
export type Digest = { algorithm: AlgorithmName; check(found: Buffer): void }

/** Throws 413 and closes the connection, because the rest of the body will not be read. */
export const tooLarge = (max: number): never => {
  throw new AppError(413, `The upload must have at most ${max} bytes`, { headers: { connection: 'close' } })
}

const isBroken = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as { code: string }).code)

/** If a body cannot be read because its connection was lost, that is not our failure. */
export const asRefusal = (error: unknown) =>
  isBroken(error) ? new AppError(400, 'The body ended before it was complete', { cause: error }) : error

const checkDigests = (digests: readonly Digest[], found: Hashes['digests']) => {
  for (const { algorithm, check } of digests) check(found.get(algorithm) as Buffer)
}

/** Memory that threads share, used again and again. */
const spare: Buffer[] = []
const maxSpare = 8
const spareBytes = wholeBytes + 64 * 1024

/** Joins the chunks of a block in memory that threads share. */
const inSharedMemory = (chunks: readonly Buffer[]) => {
  const length = lengthOf(chunks)
  const found = length <= spareBytes ? spare.pop() : undefined
  const memory = found ?? Buffer.from(new SharedArrayBuffer(Math.max(length, spareBytes)))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(memory, at)
  return memory.subarray(0, length)
}
const giveBack = ({ buffer }: Buffer) => {
  if (buffer.byteLength === spareBytes && spare.length < maxSpare) spare.push(Buffer.from(buffer))
}

/** Hashes each block while it is written and the next one arrives. At most two blocks wait for their hashes. */
const hashed = async function* (
  blocks: AsyncIterable<Buffer[]>,
  hasher: Hasher,
  { ownsChunks, seen }: { ownsChunks: boolean; seen: { size: number } },
) {
  let before: Promise<void> | undefined
  for await (const chunks of blocks) {
    const block = hasher.isRemote ? inSharedMemory(chunks) : joined(chunks)
    seen.size += block.length
    if (ownsChunks) for (const chunk of chunks) if (chunk !== block) releaseBuffer(chunk)
    const done = hasher.update(block)
    done?.catch(() => {})
    yield block
    await before
    before = done?.then(() => giveBack(block))
    before?.catch(() => {})
    if (!hasher.isRemote && ownsChunks) releaseBuffer(block)
  }
  await before
}

const joined = (chunks: Buffer[]) => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))

/** Computes the digests of bytes that are all here, and checks them. */
export const checkBytes = (bytes: Buffer, digests: readonly Digest[]): Hashes['digests'] => {
  const { update, end } = localHasher({ algorithms: algorithmsOf(digests), pieces: false })
  update(bytes)
  const found = end().digests
  checkDigests(digests, found)
  return found
}

const small = (chunks: Buffer[], digests: readonly Digest[]): NewBlob => {
  const data = joined(chunks)
  const found = checkBytes(data, digests)
  return { id: uuidv7(), size: data.length, md5: found.get('MD5') as Buffer, data, pieceSums: null }
}

const algorithmsOf = (digests: readonly Digest[]): AlgorithmName[] => [
  ...new Set(['MD5' as const, ...digests.map(({ algorithm }) => algorithm)]),
]

/**
 * Receives a body and stores it durably; no row refers to it yet. On failure the source is not destroyed, so that a
 * response can still be sent on the connection.
 */
export const receive = async (engine: Engine, source: Readable | null, bounds: Bounds): Promise<NewBlob> => {
  const { max, digests = [], grow } = bounds
  if (!source) return small([], digests)
  const body = readBody(source, (total) => {
    if (total > max) tooLarge(max)
    return grow?.(total)
  })
  try {
    await body.arrived(inlineBytes + 1)
    return body.size() <= inlineBytes ? small(body.take(), digests) : await large(engine, body, bounds)
  } catch (error) {
    throw asRefusal(error)
  } finally {
    body.close()
  }
}

const sameFolderMs = 100
const folder = { name: '', until: 0 }

/** The end of an id names its folder. Blobs of the same moment share one, so that one flush of it is enough for all. */
const fileId = (now = Date.now()) => {
  if (now >= folder.until) {
    folder.until = now + sameFolderMs
    folder.name = randomBytes(1).toString('hex')
  }
  return uuidv7().slice(0, -2) + folder.name
}

const large = async (
  engine: Engine,
  body: Body,
  { announced = Number.MAX_SAFE_INTEGER, digests = [], ownsChunks = false }: Bounds,
) => {
  const id = fileId()
  const seen = { size: 0 }
  const plan = { algorithms: algorithmsOf(digests), pieces: announced > wholeBytes }
  const hasher = createHasher(plan, announced)
  let hashes: Hashes | undefined
  const chunks = async function* () {
    yield* hashed(body.blocks(), hasher, { ownsChunks, seen })
    const found = await hasher.end()
    checkDigests(digests, found.digests)
    hashes = found
  }
  try {
    await engine.write(id, chunks())
  } finally {
    if (!hashes) hasher.drop()
  }
  const { digests: found, pieceSums } = hashes as Hashes
  const sums = seen.size > wholeBytes ? pieceSums : null
  return { id, size: seen.size, md5: found.get('MD5') as Buffer, data: null, pieceSums: sums }
}
