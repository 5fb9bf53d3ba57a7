import { isUuid } from '#platform/ids.ts'
import { setVersioning } from '../../buckets/buckets.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import { findEntry } from '../../objects/versions/history.ts'
import { type ListedEntry, listHistory, type Place } from '../../objects/versions/list.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { emptyReply, quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, numberOf, parameterOf } from '../request.ts'
import { readXml, textOf } from '../xml/read.ts'
import { ownerOf } from './buckets.ts'
import { encodingOf, isFolder } from './list-objects.ts'
import { bucketOf, versionIn, versionName } from './places.ts'

export const putBucketVersioning = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const document = readXml(await readDocument(payloadOf(call)), 'VersioningConfiguration')
  const mfa = textOf(document, 'MfaDelete')
  if (headerOf(request, 'x-amz-mfa') !== undefined || (mfa !== undefined && mfa !== 'Disabled'))
    refuse('NotImplemented', 'MFA delete is not supported')
  const status = textOf(document, 'Status')
  if (status !== 'Enabled' && status !== 'Suspended')
    refuse('MalformedXML', 'Status must be Enabled or Suspended')
  await setVersioning(ctx, me, bucket.id, status === 'Enabled')
  return emptyReply(200)
}

const maxKeys = 1000

/**
 * The version where a page ended is named with its position, so that the next page can be found even if the client has
 * deleted the version meanwhile.
 */
const markerOf = ({ id, unversioned, position }: ListedEntry) => `${unversioned ? 'null' : id}.${position}`

/** The marker of a page before, or the id of a version. */
const positionOf = async (call: Call, bucket: BucketFacts, key: string, marker: string) => {
  const [name = '', position] = marker.split('.')
  if (position !== undefined && /^\d{1,15}$/.test(position) && (name === 'null' || isUuid(name)))
    return Number(position)
  const invalid = () => invalidArgument('version-id-marker', marker, 'Invalid version id specified')
  const versionId = versionIn(position === undefined ? name : invalid(), bucket) ?? null
  const found = await findEntry(call.ctx, { bucketId: bucket.id, key }, versionId)
  return found?.position ?? invalid()
}

const placeOf = async (
  call: Call,
  bucket: BucketFacts,
  asked: { prefix: string; delimiter: string },
): Promise<Place | null> => {
  const key = parameterOf(call.request, 'key-marker') ?? ''
  const marker = parameterOf(call.request, 'version-id-marker') ?? ''
  if (key === '' && marker !== '')
    invalidArgument(
      'version-id-marker',
      marker,
      'A version-id marker cannot be specified without a key marker',
    )
  if (key === '') return null
  if (marker !== '') return { key, position: await positionOf(call, bucket, key, marker) }
  return isFolder(key, asked) ? { folder: key } : { key, position: null }
}

export const listObjectVersions = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const { encode, type } = encodingOf(request)
  const prefix = parameterOf(request, 'prefix') ?? ''
  const delimiter = parameterOf(request, 'delimiter') ?? ''
  const limit = numberOf(request, 'max-keys', { min: 0, max: maxKeys, fallback: maxKeys })
  const after = await placeOf(call, bucket, { prefix, delimiter })
  const question = { prefix, delimiter, after, limit: Math.max(limit, 1) }
  const found = await listHistory(ctx, me, bucket.id, question)
  const { items, next } = limit === 0 ? { items: [], next: null } : found
  const last = next === null ? undefined : items.at(-1)
  const owner = ownerOf(call)
  return xmlReply('ListVersionsResult', [
    {
      Name: request.bucket,
      Prefix: encode(prefix),
      KeyMarker: encode(parameterOf(request, 'key-marker') ?? ''),
      VersionIdMarker: parameterOf(request, 'version-id-marker') ?? '',
      NextKeyMarker: last && encode('folder' in last ? last.folder : last.entry.object_key),
      NextVersionIdMarker: last && 'entry' in last ? markerOf(last.entry) : undefined,
      MaxKeys: limit,
      Delimiter: delimiter ? encode(delimiter) : undefined,
      IsTruncated: next !== null,
      EncodingType: type,
    },
    ...items.flatMap((item) => ('entry' in item ? elementOf(item.entry, encode, owner) : [])),
    { CommonPrefixes: items.flatMap((item) => ('folder' in item ? { Prefix: encode(item.folder) } : [])) },
  ])
}

const elementOf = (
  entry: ListedEntry,
  encode: (text: string) => string,
  owner: ReturnType<typeof ownerOf>,
) => {
  const described = {
    Key: encode(entry.object_key),
    VersionId: versionName(entry.unversioned ? null : entry.id),
    IsLatest: entry.is_latest,
    LastModified: entry.at,
  }
  if (entry.is_marker) return { DeleteMarker: { ...described, Owner: owner } }
  const content = { ETag: quoted(entry.etag ?? ''), Size: entry.size_bytes, StorageClass: 'STANDARD' }
  return { Version: { ...described, ...content, Owner: owner } }
}
