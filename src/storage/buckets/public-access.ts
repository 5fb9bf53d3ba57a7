import { isIPv4 } from 'node:net'
import { forbidden } from '#platform/errors.ts'
import type { PolicyStatement } from '../policies/schema.ts'

/** A guard against making a bucket public by mistake, in the words of S3, of which our visibility is the ACL. */
export type PublicAccessBlock = {
  /** The visibility cannot become public. */
  blockPublicAcls: boolean
  /** Nobody may read without credentials, whatever the visibility. */
  ignorePublicAcls: boolean
  /** No policy can allow everybody to read. */
  blockPublicPolicy: boolean
  /** Nobody may read without credentials, whatever the policy. */
  restrictPublicBuckets: boolean
}

/** Visibility and policy are one right here, so that either guard closes the bucket. */
export const isClosed = (block: PublicAccessBlock | null) =>
  block !== null && (block.ignorePublicAcls || block.restrictPublicBuckets)

/** Throws 403 if the bucket cannot be made public by these means. */
export const refusePublic = (block: PublicAccessBlock | null, means: 'acl' | 'policy') => {
  if (block && (means === 'acl' ? block.blockPublicAcls : block.blockPublicPolicy))
    forbidden('Public access to this bucket is blocked')
}

/** Ranges as wide as this are as good as everywhere, as in S3. */
const isNarrow = (range: string) => {
  const [address = '', bits] = range.split('/')
  return bits === undefined || Number(bits) >= (isIPv4(address) ? 8 : 32)
}

/** Whether a statement allows everybody to read objects. */
export const isPublicStatement = ({
  effect,
  action,
  subjectType,
  subjectId,
  conditions,
}: PolicyStatement) => {
  const isEverybody = subjectId === '*' || (subjectType === 'role' && subjectId === 'anonymous')
  const allowsReading = effect === 'allow' && ['*', 'object.*', 'object.read'].includes(action)
  const ranges = conditions?.ipCidr === undefined ? [] : ([conditions.ipCidr].flat() as string[])
  return isEverybody && allowsReading && !(ranges.length > 0 && ranges.every(isNarrow))
}
