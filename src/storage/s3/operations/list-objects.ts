import { cursorAfter, listObjects } from '../../objects/list/list.ts'
import { invalidArgument } from '../errors.ts'
import { storageClassIn } from '../metadata.ts'
import { quoted, xmlReply } from '../reply.ts'
import { type Call, numberOf, parameterOf, type S3Request } from '../request.ts'
import { ownerOf } from './buckets.ts'
import { bucketOf } from './places.ts'

const maxKeys = 1000

/** Keys may contain characters that XML cannot; clients that know that ask for them to be encoded. */
export const encodingOf = (request: S3Request) => {
  const type = parameterOf(request, 'encoding-type')
  if (type !== undefined && type !== '' && type !== 'url')
    invalidArgument('encoding-type', type, 'Invalid Encoding Method specified in Request')
  const encode = (text: string) => (type === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text)
  return { encode, type: type || undefined }
}

type Question = { prefix: string; delimiter: string; limit: number; cursor: string | undefined }

const questionOf = (request: S3Request, cursor: string | undefined): Question => ({
  prefix: parameterOf(request, 'prefix') ?? '',
  delimiter: parameterOf(request, 'delimiter') ?? '',
  limit: numberOf(request, 'max-keys', { min: 0, max: maxKeys, fallback: maxKeys }),
  cursor,
})

const find = async (call: Call, { prefix, delimiter, limit, cursor }: Question) => {
  const { ctx, me } = call
  const bucket = await bucketOf(call)
  const asked = {
    prefix,
    ...(delimiter ? { delimiter } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    limit: Math.max(limit, 1),
    counted: false,
    isDated: true,
  }
  const { objects, folders = [], nextCursor } = await listObjects(ctx, me, bucket.id, asked)
  return limit === 0 ? { objects: [], folders: [], nextCursor: null } : { objects, folders, nextCursor }
}

type Found = Awaited<ReturnType<typeof find>>

const contentsOf = (call: Call, { objects }: Found, encode: (text: string) => string, hasOwner: boolean) =>
  objects.map((object) => ({
    Key: encode(object.object_key),
    LastModified: object.stored_at,
    ETag: quoted(object.etag),
    Size: object.size_bytes,
    StorageClass: storageClassIn(object.headers),
    Owner: hasOwner ? ownerOf(call) : undefined,
  }))

export const listObjectsV2 = async (call: Call) => {
  const { request } = call
  const { encode, type } = encodingOf(request)
  const startAfter = parameterOf(request, 'start-after')
  const token = parameterOf(request, 'continuation-token')
  if (token === '') invalidArgument('continuation-token', '', 'The continuation token provided is incorrect')
  const question = questionOf(request, token ?? (startAfter ? cursorAfter(startAfter, false) : undefined))
  const found = await find(call, question)
  return xmlReply('ListBucketResult', {
    Name: request.bucket,
    Prefix: encode(question.prefix),
    StartAfter: startAfter === undefined ? undefined : encode(startAfter),
    ContinuationToken: token,
    NextContinuationToken: found.nextCursor,
    KeyCount: found.objects.length + found.folders.length,
    MaxKeys: question.limit,
    Delimiter: question.delimiter ? encode(question.delimiter) : undefined,
    IsTruncated: found.nextCursor !== null,
    EncodingType: type,
    Contents: contentsOf(call, found, encode, parameterOf(request, 'fetch-owner') === 'true'),
    CommonPrefixes: found.folders.map((folder) => ({ Prefix: encode(folder) })),
  })
}

/** A marker that is a folder stands for everything in it. */
export const isFolder = (marker: string, { prefix, delimiter }: Pick<Question, 'prefix' | 'delimiter'>) =>
  delimiter !== '' && marker.length > prefix.length && marker.startsWith(prefix) && marker.endsWith(delimiter)

export const listObjectsV1 = async (call: Call) => {
  const { request } = call
  const { encode, type } = encodingOf(request)
  const marker = parameterOf(request, 'marker') ?? ''
  const asked = questionOf(request, undefined)
  const cursor = marker ? cursorAfter(marker, isFolder(marker, asked)) : undefined
  const found = await find(call, { ...asked, cursor })
  const last = [found.objects.at(-1)?.object_key ?? '', found.folders.at(-1) ?? ''].sort().at(-1) ?? ''
  return xmlReply('ListBucketResult', {
    Name: request.bucket,
    Prefix: encode(asked.prefix),
    Marker: encode(marker),
    NextMarker: found.nextCursor !== null ? encode(last) : undefined,
    MaxKeys: asked.limit,
    Delimiter: asked.delimiter ? encode(asked.delimiter) : undefined,
    IsTruncated: found.nextCursor !== null,
    EncodingType: type,
    Contents: contentsOf(call, found, encode, true),
    CommonPrefixes: found.folders.map((folder) => ({ Prefix: encode(folder) })),
  })
}
