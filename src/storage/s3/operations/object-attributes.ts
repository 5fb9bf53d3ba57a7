import { blobsOf } from '../../blobs/read.ts'
import type { ObjectHead } from '../../objects/objects.ts'
import { checksumElements } from '../checksums/sent.ts'
import { invalidArgument } from '../errors.ts'
import { storageClassIn } from '../metadata.ts'
import { xmlReply } from '../reply.ts'
import { type Call, headerOf, type S3Request } from '../request.ts'
import { versionHeader, versionIdOf } from './places.ts'
import { checksumOfPart, isMultipart, openObject } from './read-object.ts'

const attributeNames = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize']
const maxParts = 1000

const askedFor = (request: S3Request) => {
  const names = (headerOf(request, 'x-amz-object-attributes') ?? '').split(',').map((name) => name.trim())
  const unknown = names.find((name) => !attributeNames.includes(name))
  if (unknown !== undefined)
    invalidArgument('x-amz-object-attributes', unknown, 'Invalid attribute name specified')
  return names
}

const numberIn = (request: S3Request, name: string, fallback: number) => {
  const text = headerOf(request, name)
  if (text === undefined || text === '') return fallback
  return /^\d{1,9}$/.test(text) ? Number(text) : invalidArgument(name, text, `${name} must be a number`)
}

/** One page of the parts of an object. One that was not uploaded in parts has none. */
const partsOf = async ({ ctx, request }: Call, object: ObjectHead) => {
  const marker = numberIn(request, 'x-amz-part-number-marker', 0)
  const limit = Math.min(numberIn(request, 'x-amz-max-parts', maxParts), maxParts)
  if (!isMultipart(object)) return undefined
  const parts = (await blobsOf(ctx, object)).map((blob, index) => {
    const { ChecksumType: _, ...checksum } = checksumElements(checksumOfPart(blob, object))
    return { ...checksum, PartNumber: index + 1, Size: blob.size }
  })
  const page = parts.slice(marker, marker + limit)
  return {
    IsTruncated: marker + page.length < parts.length,
    MaxParts: limit,
    NextPartNumberMarker: page.at(-1)?.PartNumber ?? marker,
    PartNumberMarker: marker,
    Part: page,
    PartsCount: parts.length,
  }
}

export const getObjectAttributes = async (call: Call) => {
  const { bucket, object } = await openObject(call)
  const asked = askedFor(call.request)
  const wants = (name: string) => asked.includes(name)
  const content = {
    ETag: wants('ETag') ? object.etag : undefined,
    Checksum: wants('Checksum') && object.checksum ? checksumElements(object.checksum) : undefined,
    ObjectParts: wants('ObjectParts') ? await partsOf(call, object) : undefined,
    StorageClass: wants('StorageClass') ? storageClassIn(object.headers) : undefined,
    ObjectSize: wants('ObjectSize') ? object.size_bytes : undefined,
  }
  return xmlReply('GetObjectAttributesResponse', content, {
    ...versionHeader(bucket, versionIdOf(object)),
    'last-modified': new Date(object.stored_at).toUTCString(),
  })
}
