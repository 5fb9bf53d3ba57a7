import { isUuid } from '#platform/ids.ts'
import { type BucketFacts, bucketNamed } from '../../buckets/lookup.ts'
import { checkKey } from '../../objects/key.ts'
import type { ObjectHead, VersionId } from '../../objects/objects.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { type Call, parameterOf, type S3Request } from '../request.ts'

/** The bucket of a request, or another one of the caller's organization. Says nothing about what the caller may do there. */
export const bucketOf = async ({ ctx, me, request }: Call, name = request.bucket): Promise<BucketFacts> => {
  const found = name.includes('\0') ? undefined : await bucketNamed(ctx, me.orgId, name)
  return found ?? refuse('NoSuchBucket', undefined, { fields: { BucketName: name } })
}

const maxKeyBytes = 1024

/** A key that is to be written. Longer ones, which the native API allows, can be read. */
export const newKey = (key: string) => {
  if (Buffer.byteLength(key) > maxKeyBytes)
    refuse('KeyTooLongError', undefined, {
      fields: { Size: Buffer.byteLength(key), MaxSizeAllowed: maxKeyBytes },
    })
  return checkKey(key, 'key')
}

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
