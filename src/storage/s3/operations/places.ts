import { isUuid } from '#platform/ids.ts'
import { type BucketFacts, bucketNamed } from '../../buckets/lookup.ts'
import { checkKey } from '../../objects/key.ts'
import type { ObjectHead, VersionId } from '../../objects/objects.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { type Call, headerOf, parameterOf, type S3Request } from '../request.ts'

/** Of the bucket, and of the source of a copy. */
const expectedOwners = ['x-amz-expected-bucket-owner', 'x-amz-source-expected-bucket-owner']

/** The bucket of a request, or another one of the caller's organization. Says nothing about what the caller may do there. */
export const bucketOf = async ({ ctx, me, request }: Call, name = request.bucket): Promise<BucketFacts> => {
  const found = name.includes('\0') ? undefined : await bucketNamed(ctx, me.orgId, name)
  if (!found) return refuse('NoSuchBucket', undefined, { fields: { BucketName: name } })
  for (const header of expectedOwners)
    if (request.headers.has(header) && headerOf(request, header) !== me.orgId) refuse('AccessDenied')
  return found
}

const maxKey = 1024

const tooLong = (key: string) =>
  refuse('KeyTooLongError', undefined, { fields: { Size: Buffer.byteLength(key), MaxSizeAllowed: maxKey } })

/** A key that may exist. The native API counts characters, S3 counts bytes. */
export const anyKey = (key: string) =>
  key.length > maxKey && [...key].length > maxKey ? tooLong(key) : checkKey(key, 'key')

/** A key that is to be written. */
export const newKey = (key: string) => (Buffer.byteLength(key) > maxKey ? tooLong(key) : checkKey(key, 'key'))

/** The version that a request asks for. In a bucket that never had versions, the only one is called `null`. */
export const versionOf = (request: S3Request, bucket: BucketFacts) =>
  versionIn(parameterOf(request, 'versionId'), bucket)

export const versionIn = (
  text: string | undefined,
  { hasHadVersions }: BucketFacts,
): VersionId | undefined => {
  if (text === undefined) return undefined
  if (text === 'null') return hasHadVersions ? null : undefined
  return isUuid(text) ? text : invalidArgument('versionId', text, 'Invalid version id specified')
}

export const versionIdOf = ({ version_id, unversioned }: ObjectHead): VersionId =>
  unversioned ? null : version_id

/** How S3 calls a version. */
export const versionName = (versionId: VersionId) => versionId ?? 'null'

/** Sent with objects of buckets that have, or have had, versions. */
export const versionHeader = (
  { hasHadVersions }: BucketFacts,
  versionId: VersionId,
): Record<string, string> => (hasHadVersions ? { 'x-amz-version-id': versionName(versionId) } : {})
