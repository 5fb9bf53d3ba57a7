import { AppError } from '#platform/errors.ts'
import { isNotModified, requireVersion, writeConditions } from '#platform/http/response/conditional.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import { checkKey } from '../../objects/key.ts'
import type { ObjectHead, VersionId } from '../../objects/objects.ts'
import { findEntry } from '../../objects/versions/history.ts'
import { copyObject as copy } from '../../objects/write/copy.ts'
import { checksumElements } from '../checksums/sent.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { keptOf, metadataOf, ownKeptOf, withoutOwn } from '../metadata.ts'
import { quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, plainHeaders, type S3Request } from '../request.ts'
import { tagsInHeader } from '../tagging.ts'
import { expirationOfNew } from './expiration.ts'
import { noObject } from './missing.ts'
import { bucketOf, newKey, versionHeader, versionIdOf, versionIn, versionName } from './places.ts'
import { checkObjectHeaders, typeOf } from './write-object.ts'

/** The object that `x-amz-copy-source` names, which is encoded as a part of a URL. */
export const sourceOf = async (call: Call) => {
  const text = headerOf(call.request, 'x-amz-copy-source') ?? ''
  const malformed = () =>
    invalidArgument('x-amz-copy-source', text, 'Copy Source must mention the source bucket and key')
  const at = text.lastIndexOf('?versionId=')
  const path = at < 0 ? text : text.slice(0, at)
  const [, name, key] = /^\/?([^/]+)\/(.+)$/s.exec(decode(path) ?? malformed()) ?? malformed()
  const bucket = await bucketOf(call, name)
  const versionId = versionIn(at < 0 ? undefined : text.slice(at + '?versionId='.length), bucket)
  return {
    bucket,
    ref: { bucketId: bucket.id, key: checkKey(key as string, 'x-amz-copy-source') },
    versionId,
  }
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

type Source = Awaited<ReturnType<typeof sourceOf>>

/** Says why there is nothing to copy. */
export const noSource = async (call: Call, { bucket, ref, versionId }: Source): Promise<never> => {
  const found = versionId === undefined ? undefined : await findEntry(call.ctx, ref, versionId)
  if (found?.is_marker)
    refuse(
      'InvalidRequest',
      'The source of a copy request may not specifically refer to a delete marker by version id',
    )
  return noObject(call, bucket, ref.key, versionId)
}

const isMissing = (error: unknown) => error instanceof AppError && error.status === 404

export const sourceHeader = ({ hasHadVersions }: BucketFacts, source: ObjectHead): Record<string, string> =>
  hasHadVersions ? { 'x-amz-copy-source-version-id': versionName(versionIdOf(source)) } : {}

/** Throws 412 unless the source is as the request wants it. A copy has no 304. */
export const checkSource = (request: S3Request, versionId: VersionId | undefined) => (source: ObjectHead) => {
  if (versionId !== undefined && versionIdOf(source) !== versionId) refuse('NoSuchVersion')
  const asked = Object.fromEntries(
    ['match', 'none-match', 'modified-since', 'unmodified-since'].flatMap((name) => {
      const value = headerOf(request, `x-amz-copy-source-if-${name}`)
      return value === undefined ? [] : [[`if-${name}`, value]]
    }),
  )
  const version = {
    etag: quoted(source.etag),
    lastModified: new Date(source.stored_at).toUTCString(),
    isDated: true,
  }
  requireVersion(asked, version)
  if (isNotModified(asked, version)) refuse('PreconditionFailed')
}

const directiveOf = (request: S3Request, name: string) => {
  const value = headerOf(request, name)?.toUpperCase() ?? 'COPY'
  return value === 'COPY' || value === 'REPLACE' ? value : invalidArgument(name, value, `Unknown ${name}`)
}

export const copyObject = async (call: Call) => {
  const { ctx, me, request } = call
  const target = await bucketOf(call)
  const key = newKey(request.key)
  checkObjectHeaders(request)
  const isReplaced = directiveOf(request, 'x-amz-metadata-directive') === 'REPLACE'
  const source = await sourceOf(call)
  const isSame = source.bucket.id === target.id && source.ref.key === key && source.versionId === undefined
  const own = ownKeptOf(request)
  if (isSame && !isReplaced && Object.keys(own).length === 0)
    refuse(
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing its metadata',
    )
  const replaced = isReplaced && {
    content_type: typeOf(request),
    metadata: metadataOf(request),
    headers: keptOf(request),
  }
  const isTagged = directiveOf(request, 'x-amz-tagging-directive') === 'REPLACE'
  const tagged = isTagged ? { tags: tagsInHeader(request) } : {}
  let original: ObjectHead | undefined
  const check = checkSource(request, source.versionId)
  const copied = copy(
    ctx,
    me,
    { ...source.ref, versionId: source.versionId },
    { destinationKey: key, destinationBucketId: target.id },
    {
      described: ({ headers }) => ({
        ...(replaced || { headers: { ...withoutOwn(headers), ...own } }),
        ...tagged,
      }),
      conditions: writeConditions(plainHeaders(request)),
      keepsVersions: true,
      check: (found) => {
        check(found)
        original = found
      },
    },
  )
  const { object, versionId } = await copied.catch((error: unknown) => {
    if (isMissing(error)) return noSource(call, source)
    throw error
  })
  const result = {
    LastModified: object.updated_at,
    ETag: quoted(object.etag),
    ...checksumElements(original?.checksum ?? null),
  }
  return xmlReply('CopyObjectResult', result, {
    ...(original && sourceHeader(source.bucket, original)),
    ...versionHeader(target, versionId),
    ...(await expirationOfNew(ctx, target, key, object.etag)),
  })
}
