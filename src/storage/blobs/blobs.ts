import { Readable } from 'node:stream'
import { lru } from '#platform/cache/lru.ts'
import type { Config } from '#platform/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { isStatementRefused } from '#platform/db/failures.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { type ByteCache, createByteCache } from './cache.ts'
import { type Engine, MissingBytes, madeOf } from './engine.ts'
import { fileEngine } from './files.ts'
import { confirmed, confirmWhole, damaged, damageTopic, isTrusted, reportDamage } from './integrity.ts'
import { comparePieces, piecesAround } from './pieces.ts'
import { type Bounds, type NewBlob, receive, tooLarge, wholeBytes } from './receive.ts'
import { s3Engine } from './s3.ts'
import { createSpace, endlessSpace, isFull, noSpace, type Space } from './space.ts'
import * as store from './store.ts'

export type { Digest, NewBlob } from './receive.ts'

/** What the service holds to keep bytes. */
export type Blobs = {
  engine: Engine
  space: Space
  cache: ByteCache
  /** The blobs of a content that is remembered, for as long as it is and none of them is found damaged. */
  known: {
    get(content: object): readonly store.BlobRow[] | undefined
    set(content: object, blobs: readonly store.BlobRow[]): void
  }
  /** When blobs were last found to be whole, by id. */
  trusted: ReturnType<typeof lru<number>>
}

export type BlobContext = Platform & { blobs: Blobs }

const cacheBytes = 128 * 1024 * 1024
const maxTrusted = 100_000

export const engineFor = ({ blobs, maxUploadBytes }: Config) =>
  blobs.kind === 'file' ? fileEngine(blobs.dir) : s3Engine(blobs, { maxBytes: maxUploadBytes })

export const createBlobs = (platform: Platform): Blobs => {
  const { config, signals } = platform
  let known = new WeakMap<object, readonly store.BlobRow[]>()
  const forget = () => {
    known = new WeakMap()
  }
  signals.on(damageTopic, forget)
  signals.onGap(forget)
  return {
    engine: engineFor(config),
    space: config.blobs.kind === 'file' ? createSpace(config.blobs.dir, platform) : endlessSpace,
    cache: createByteCache(cacheBytes),
    trusted: lru(maxTrusted),
    known: { get: (content) => known.get(content), set: (content, blobs) => void known.set(content, blobs) },
  }
}

const largest = ({ config }: BlobContext, max = Number.MAX_SAFE_INTEGER) =>
  Math.min(max, config.maxUploadBytes)

/** Refuses an upload that is announced larger than it may be. */
export const checkSize = (ctx: BlobContext, bytes: number, max?: number) => {
  if (bytes > largest(ctx, max)) tooLarge(largest(ctx, max))
}

/** Refuses an upload if the disk has no room for it. */
export const demandSpace = (ctx: BlobContext, bytes: number) => ctx.blobs.space.demand(bytes)

export const receiveBlob = (
  ctx: BlobContext,
  source: Readable | null,
  { max, grow, ...options }: Omit<Bounds, 'max'> & { max?: number | undefined } = {},
) => {
  const room = async (total: number) => {
    await ctx.blobs.space.demand(0)
    await grow?.(total)
  }
  return receive(ctx.blobs.engine, source, { ...options, max: largest(ctx, max), grow: room }).catch(
    (error) => {
      if (!isFull(error)) throw error
      ctx.log.error({ err: error }, 'the disk of the blobs is full')
      throw noSpace(error)
    },
  )
}

/**
 * Stores a row for bytes that were just received. They are removed again if `work` is refused, by us or by the
 * database. After any other failure nobody knows whether it was committed, so they stay until the sweep finds them without a row.
 */
export const keepingBlob = async <T>(ctx: BlobContext, blob: NewBlob, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError || isStatementRefused(error)) await discardBlob(ctx, blob)
    throw error
  }
}

/** What cannot be removed now is found by the sweep; it must not hide why it was refused. */
export const discardBlob = async (ctx: BlobContext, blob: NewBlob) => {
  if (blob.data !== null) return
  await ctx.blobs.engine
    .remove(blob.id)
    .catch((err) => ctx.log.warn({ err, blob: blob.id }, 'refused bytes could not be removed yet'))
}

export const addBlob = (tx: Tx, orgId: string, blob: NewBlob, now: Date) =>
  store.insertBlob(tx, orgId, blob, now)
export const retainBlobs = (tx: Tx, ids: string[]) => store.retainBlobs(tx, ids)
export const releaseBlobs = (tx: Tx, ids: string[], now: Date) => store.releaseBlobs(tx, ids, now)

/** The blobs of a content, in order. Of what is made of many parts only the list of their ids stays in memory. */
export const blobsOf = async (
  ctx: BlobContext,
  content: { blobs: readonly string[] },
): Promise<readonly store.BlobRow[]> => {
  const known = ctx.blobs.known.get(content)
  if (known) return known
  const blobs = await store.findBlobs(ctx.db.sql, content.blobs)
  if (blobs.length !== content.blobs.length) return damaged()
  if (blobs.length === 1) ctx.blobs.known.set(content, blobs)
  return blobs
}

const wholeBlob = async (ctx: BlobContext, blob: store.BlobRow): Promise<Buffer> => {
  const cached = ctx.blobs.cache.get(blob.id)
  if (cached) return cached
  const bytes = blob.inline
    ? ((await store.readInline(ctx.db.sql, blob.id)) ?? damaged())
    : await ctx.blobs.engine.readWhole(blob.id, blob.size)
  if (!isTrusted(ctx, blob)) await confirmWhole(ctx, blob, bytes)
  ctx.blobs.cache.put(blob.id, bytes)
  return bytes
}

/** A whole content of one small blob, if it is in memory. */
export const cachedBytes = (ctx: BlobContext, content: { blobs: readonly string[] }): Buffer | undefined => {
  const [blob] = ctx.blobs.known.get(content) ?? []
  return blob && !blob.damaged && !ctx.config.accelPrefix ? ctx.blobs.cache.get(blob.id) : undefined
}

type Slice = { blob: store.BlobRow; start: number; end: number }

/** Which bytes of which blobs make up the bytes from `start` to `end`, both included. */
const slices = (blobs: readonly store.BlobRow[], start: number, end: number): Slice[] => {
  const found: Slice[] = []
  let offset = 0
  for (const blob of blobs) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, blob.size - 1)]
    if (from <= to) found.push({ blob, start: from, end: to })
    offset += blob.size
  }
  return found
}

const readSlice = async (ctx: BlobContext, { blob, start, end }: Slice): Promise<Buffer | Readable> => {
  const whole = start === 0 && end === blob.size - 1
  if (blob.size <= wholeBytes) {
    const bytes = await wholeBlob(ctx, blob)
    return whole ? bytes : bytes.subarray(start, end + 1)
  }
  const read = (from: number, to: number) => ctx.blobs.engine.read(blob.id, blob.size, from, to)
  if (isTrusted(ctx, blob)) return read(start, end)
  if (whole) {
    const source = await read(start, end)
    return madeOf(source, confirmed(ctx, blob, source))
  }
  const around = piecesAround(start, end, blob.size)
  const sums = await store.readSums(ctx.db.sql, blob.id, around.sums)
  // A blob from before there were checksums of pieces: damage in a part of it is for the scrub to find.
  if (!sums) return read(start, end)
  const source = await read(around.start, around.end)
  const pieces = comparePieces(source, sums, () => reportDamage(ctx, blob.id))
  return madeOf(source, cut(pieces, start - around.start, end - start + 1))
}

const cut = async function* (source: AsyncIterable<Buffer>, skip: number, length: number) {
  let [before, left] = [skip, length]
  for await (const chunk of source) {
    const some = chunk.subarray(before, before + left)
    before = 0
    left -= some.length
    yield some
  }
}

/** The bytes from `start` to `end` of a content, ready to be sent. Refuses what is known to be damaged. */
export const readBytes = async (
  ctx: BlobContext,
  blobs: readonly store.BlobRow[],
  start: number,
  end: number,
): Promise<Buffer | Readable> => {
  const wanted = slices(blobs, start, end)
  const [first, ...rest] = wanted
  if (!first) return Buffer.alloc(0)
  if (wanted.some(({ blob }) => blob.damaged)) damaged()
  try {
    const head = await readSlice(ctx, first)
    if (rest.length === 0) return head
    const source = Buffer.isBuffer(head) ? Readable.from([head], { objectMode: false }) : head
    return madeOf(source, concatenated(ctx, source, rest))
  } catch (error) {
    return asDamage(error)
  }
}

const asDamage = (error: unknown): never => {
  if (error instanceof MissingBytes) damaged(error)
  throw error
}

const concatenated = async function* (ctx: BlobContext, head: Readable, rest: Slice[]) {
  yield* head
  for (const slice of rest) {
    const part = await readSlice(ctx, slice)
    if (Buffer.isBuffer(part)) yield part
    else yield* part
  }
}

/**
 * The one file that a content consists of, if a web server in front can send it without us. Its length is looked at
 * first: that server would take a file that was cut short for all there is.
 */
export const fileToHandOver = async (ctx: BlobContext, [blob, ...more]: readonly store.BlobRow[]) => {
  if (!ctx.config.accelPrefix || !blob || more.length > 0 || blob.inline || blob.damaged) return undefined
  return ctx.blobs.engine.locate?.(blob.id, blob.size).catch(asDamage)
}
