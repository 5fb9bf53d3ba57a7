import { Readable } from 'node:stream'
import { derivedFrom, MissingBytes, sentOnce } from '#platform/blobs/engine.ts'
import type { Platform } from '#platform/platform.ts'
import { keep, soleUse } from '#platform/release-buffer.ts'
import { damaged, isVerified, reportDamage, verified, verifyWhole } from './integrity.ts'
import { comparePieces, piecesAround } from './pieces.ts'
import { wholeBytes } from './receive.ts'
import { blobs } from './state.ts'
import * as store from './store.ts'

/** The blobs of a content, in order. They are cached for contents of one blob only. */
export const blobsOf = async (
  ctx: Platform,
  content: { blobs: readonly string[] },
): Promise<readonly store.BlobRow[]> => {
  const { known } = blobs(ctx)
  const cached = known.get(content)
  if (cached) return cached
  const rows = await store.findBlobs(ctx.db.sql, content.blobs)
  if (rows.length !== content.blobs.length) return damaged()
  if (rows.length === 1) known.set(content, rows)
  return rows
}

const readWhole = async (ctx: Platform, blob: store.BlobRow): Promise<Buffer> => {
  const bytes = blob.inline
    ? ((await store.readInline(ctx.db.sql, blob.id)) ?? damaged())
    : await blobs(ctx).engine.readWhole(blob.id, blob.size)
  if (!isVerified(ctx, blob)) await verifyWhole(ctx, blob, bytes)
  return bytes
}

const wholeBlob = async (ctx: Platform, blob: store.BlobRow): Promise<Buffer> => {
  const cached = blobs(ctx).bytes.get(blob.id)
  if (cached) return cached
  const bytes = keep(await readWhole(ctx, blob))
  blobs(ctx).bytes.set(blob.id, bytes)
  return bytes
}

/** Blobs of up to this size are cached when they are read, larger ones when they are read again. */
const alwaysCached = 256 * 1024

const isReadFirst = (ctx: Platform, blob: store.BlobRow) =>
  blob.size > alwaysCached && !isVerified(ctx, blob) && !blobs(ctx).bytes.has(blob.id)

type Slice = { blob: store.BlobRow; start: number; end: number }

/** Which bytes of which blobs make up the bytes from `start` to `end`, both included. */
const slices = (rows: readonly store.BlobRow[], start: number, end: number): Slice[] => {
  const found: Slice[] = []
  let offset = 0
  for (const blob of rows) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, blob.size - 1)]
    if (from <= to) found.push({ blob, start: from, end: to })
    offset += blob.size
  }
  return found
}

const readSlice = async (ctx: Platform, { blob, start, end }: Slice): Promise<Buffer | Readable> => {
  const whole = start === 0 && end === blob.size - 1
  if (blob.size <= wholeBytes) {
    if (whole && isReadFirst(ctx, blob)) return sentOnce(await readWhole(ctx, blob))
    const bytes = await wholeBlob(ctx, blob)
    return whole ? bytes : bytes.subarray(start, end + 1)
  }
  const read = (from: number, to: number) => blobs(ctx).engine.read(blob.id, blob.size, from, to)
  if (isVerified(ctx, blob)) return read(start, end)
  if (whole) {
    const source = await read(start, end)
    return derivedFrom(source, verified(ctx, blob, source))
  }
  const around = piecesAround(start, end, blob.size)
  const sums = await store.readSums(ctx.db.sql, blob.id, around.sums)
  // Without checksums of its pieces, damage in a range is left to the scrub to find.
  if (!sums) return read(start, end)
  const source = await read(around.start, around.end)
  const pieces = comparePieces(source, sums, () => reportDamage(ctx, blob.id))
  return derivedFrom(source, cut(pieces, start - around.start, end - start + 1))
}

const cut = async function* (source: AsyncIterable<Buffer>, skip: number, length: number) {
  let [before, left] = [skip, length]
  for await (const chunk of source) {
    const some = soleUse(chunk, before, before + left)
    before = 0
    left -= some.length
    yield some
  }
}

/** The bytes from `start` to `end` of a content, both included. Throws if they are known to be damaged. */
export const readBytes = async (
  ctx: Platform,
  rows: readonly store.BlobRow[],
  start: number,
  end: number,
): Promise<Buffer | Readable> => {
  const wanted = slices(rows, start, end)
  const [first, ...rest] = wanted
  if (!first) return Buffer.alloc(0)
  if (wanted.some(({ blob }) => blob.damaged)) damaged()
  try {
    const head = await readSlice(ctx, first)
    if (rest.length === 0) return head
    const source = Buffer.isBuffer(head) ? Readable.from([head], { objectMode: false }) : head
    return derivedFrom(source, concatenated(ctx, source, rest))
  } catch (error) {
    return asDamage(error)
  }
}

const asDamage = (error: unknown): never => {
  if (error instanceof MissingBytes) damaged(error)
  throw error
}

const concatenated = async function* (ctx: Platform, head: Readable, rest: Slice[]) {
  yield* head
  for (const slice of rest) {
    const part = await readSlice(ctx, slice)
    if (Buffer.isBuffer(part)) yield part
    else yield* part
  }
}

/**
 * The path of the one file that a content consists of, if a web server in front of us can send it. Its length is
 * checked first, because that server could not tell that a file was truncated.
 */
export const fileToHandOver = async (ctx: Platform, [blob, ...more]: readonly store.BlobRow[]) => {
  if (!blob || more.length > 0 || blob.inline || blob.damaged) return undefined
  return blobs(ctx).engine.locate?.(blob.id, blob.size).catch(asDamage)
}
