import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import type { AlgorithmName } from '../../checksums/algorithms.ts'
import type { ObjectHead } from '../../objects/objects.ts'
import { headerFor, s3Algorithms } from '../checksums/sent.ts'
import type { Described, Listed, Piece, Source } from './source.ts'
import { etagOf, type Target } from './target.ts'

/** Reports bytes as they arrive. */
type Arrived = (bytes: number) => void

const partsIn = (etag: string) => Number(/^[0-9a-f]{32}-(\d{1,5})$/.exec(etag)?.[1] ?? 0)

/** Where the store encrypts, an entity tag may be anything. */
const isMd5 = ({ etag }: Listed, { ServerSideEncryption = 'AES256', SSECustomerAlgorithm }: Described) =>
  /^[0-9a-f]{32}(-\d+)?$/.test(etag) && ServerSideEncryption === 'AES256' && !SSECustomerAlgorithm

/** The headers with which an object is written again as it was. */
const headersOf = (described: Described): Record<string, string> => {
  const fields = {
    'content-type': described.ContentType,
    'cache-control': described.CacheControl,
    'content-disposition': described.ContentDisposition,
    'content-encoding': described.ContentEncoding,
    'content-language': described.ContentLanguage,
    expires: described.ExpiresString,
    'x-amz-website-redirect-location': described.WebsiteRedirectLocation,
    'x-amz-tagging': new URLSearchParams(described.tags.map(({ Key, Value }) => [Key, Value])).toString(),
  }
  const kept = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const metadata = Object.entries(described.Metadata ?? {})
  return Object.fromEntries([...kept, ...metadata.map(([name, value]) => [`x-amz-meta-${name}`, value])])
}

/** The checksum of the whole object that the source keeps. */
const checksumOf = (described: Described): { algorithm: AlgorithmName; value: string } | undefined => {
  if (described.ChecksumType === 'COMPOSITE') return undefined
  const values = new Map<string, unknown>(Object.entries(described))
  const algorithm = s3Algorithms.find((name) => values.has(`Checksum${name}`))
  return algorithm && { algorithm, value: String(values.get(`Checksum${algorithm}`)) }
}

const checksumHeader = (described: Described): Record<string, string> => {
  const checksum = checksumOf(described)
  return checksum ? { [headerFor(checksum.algorithm)]: checksum.value } : {}
}

/** Whether we have these bytes already, by their checksum; undefined if neither side can tell. */
export const hasSameChecksum = (described: Described, ours: ObjectHead | undefined) => {
  const theirs = checksumOf(described)
  return ours?.checksum?.type === 'FULL_OBJECT' && ours.checksum.algorithm === theirs?.algorithm
    ? ours.checksum.value === theirs.value
    : undefined
}

type Copy = {
  source: Source
  target: Target
  listed: Listed
  described: Described
  arrived: Arrived
  /** Reports bytes that an earlier run has copied. */
  skipped: Arrived
}

/** The source did not send what it has. What was copied until then is as good as before. */
class SourceLost extends Error {
  override readonly name = 'SourceLost'
}
const lost = (cause: unknown) => new SourceLost((cause as Error).message, { cause })

/** Reads a piece of the object and gives it to `store`. */
const carry = async <T>(
  { source, listed, arrived }: Copy,
  piece: Piece,
  store: (body: Readable, length: number) => Promise<T>,
): Promise<T> => {
  const { body, length } = await source.read(listed, piece).catch((error) => {
    throw lost(error)
  })
  let failure: Error | undefined
  const counting = new Transform({
    transform(bytes: Buffer, _, done) {
      arrived(bytes.length)
      done(null, bytes)
    },
  })
  // It may fail before anybody reads it.
  counting.on('error', () => {})
  body.once('error', (error) => {
    failure = error
    counting.destroy(error)
  })
  try {
    return await store(body.pipe(counting), length)
  } catch (error) {
    throw failure ? lost(failure) : error
  } finally {
    body.destroy()
  }
}

/** An upload is stored only if its digest and its checksum are those that the source says. */
const copyWhole = (copy: Copy) => {
  const { target, listed, described } = copy
  const { key, etag, size } = listed
  const headers = {
    ...headersOf(described),
    ...checksumHeader(described),
    ...(isMd5(listed, described) ? { 'content-md5': Buffer.from(etag, 'hex').toString('base64') } : {}),
    'content-length': String(size),
  }
  return carry(copy, {}, (body) => target.call('putObject', { key, headers, body }))
}

const rangeBytes = 64 * 1024 * 1024
const maxParts = 10_000

/**
 * The parts that the object was uploaded in, if the source knows them: then the entity tag is the same. Otherwise ranges,
 * for objects that are larger than one upload may be.
 */
const piecesOf = async ({ source, target, listed }: Copy): Promise<Piece[]> => {
  const { key, size, etag } = listed
  const count = partsIn(etag)
  if (count > 0 && (await source.countParts(key)) === count)
    return Array.from({ length: count }, (_, at) => ({ part: at + 1 }))
  const length = Math.max(Math.min(rangeBytes, target.maxBytes), Math.ceil(size / maxParts))
  return Array.from({ length: Math.ceil(size / length) }, (_, at) => ({
    range: { start: at * length, end: Math.min(size, (at + 1) * length) - 1 },
  }))
}

const joinedEtag = (etags: readonly string[]) => {
  const hash = createHash('md5')
  for (const etag of etags) hash.update(etag, 'hex')
  return `${hash.digest('hex')}-${etags.length}`
}

/** CRCs of parts become that of the object; of other algorithms the source is not asked for the value. */
const announced = (described: Described): Record<string, string> => {
  const { algorithm } = checksumOf(described) ?? {}
  return algorithm?.startsWith('CRC')
    ? { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': 'FULL_OBJECT' }
    : {}
}

type OpenUpload = Awaited<ReturnType<Target['openUpload']>>

/** Copies the pieces that are missing, and returns the entity tags of all parts. */
const copyPieces = async (copy: Copy, { uploadId, parts }: OpenUpload, pieces: readonly Piece[]) => {
  const { target, listed, skipped } = copy
  const known = new Map(parts.map((part) => [part.partNumber, part]))
  const etags: string[] = []
  for (const [at, piece] of pieces.entries()) {
    const part = known.get(at + 1)
    if (part) {
      skipped(part.sizeBytes)
      etags.push(part.etag)
      continue
    }
    const query = { uploadId, partNumber: String(at + 1) }
    const stored = await carry(copy, piece, (body, length) =>
      target.call('uploadPart', {
        key: listed.key,
        query,
        headers: { 'content-length': String(length) },
        body,
      }),
    )
    etags.push(etagOf(stored))
  }
  return etags
}

const completeUpload = ({ target, listed, described }: Copy, uploadId: string, etags: readonly string[]) => {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const document = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const body = Readable.from([document], { objectMode: false })
  const headers = { ...checksumHeader(described), 'content-length': String(document.length) }
  return target.call('completeUpload', { key: listed.key, query: { uploadId }, headers, body })
}

/** What the parts of an upload are pieces of: parts of another content, or of other sizes, do not belong together. */
const sourceName = ({ source, listed, target }: Copy, pieces: readonly Piece[]) => {
  const { etag, size, changedAt } = listed
  const length = pieces[0]?.range ? target.maxBytes : 'parts'
  return [source.name, etag, size, changedAt.toISOString(), pieces.length, length].join(' ')
}

const copyInParts = async (copy: Copy) => {
  const { target, listed, described } = copy
  const { key } = listed
  const pieces = await piecesOf(copy)
  const headers = { ...headersOf(described), ...announced(described) }
  const upload = await target.openUpload(key, sourceName(copy, pieces), headers)
  try {
    const etags = await copyPieces(copy, upload, pieces)
    const isComparable = pieces[0]?.part !== undefined && isMd5(listed, described)
    if (isComparable && joinedEtag(etags) !== listed.etag)
      throw new Error('the bytes that arrived are not those that the source describes')
    await completeUpload(copy, upload.uploadId, etags)
  } catch (error) {
    // The next run continues, unless it would fail in the same way.
    if (!(error instanceof SourceLost))
      await target.call('abortUpload', { key, query: { uploadId: upload.uploadId } }).catch(() => {})
    throw error
  }
}

/** Copies an object with its metadata and tags. Nothing is stored unless its bytes are those that the source describes. */
export const copyObject = async (copy: Copy) => {
  const { listed, target } = copy
  if (partsIn(listed.etag) > 0 || listed.size > target.maxBytes) await copyInParts(copy)
  else await copyWhole(copy)
}
