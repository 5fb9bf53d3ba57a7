import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Storage } from '../../context.ts'
import { rulesOf } from '../../lifecycle/lifecycle.ts'
import { expirationOf } from '../../lifecycle/rules.ts'
import { abortion, type Session } from '../../multipart/ending.ts'
import { findContent, type ObjectHead } from '../../objects/objects.ts'

/** Rule ids may have characters that a header cannot have. */
const described = (at: Date, ruleId: string) =>
  `expiry-date="${at.toUTCString()}", rule-id="${encodeURIComponent(ruleId)}"`

type Content = Pick<ObjectHead, 'object_key' | 'size_bytes' | 'tags' | 'stored_at'>

/** When a current content will be deleted by a rule. */
export const expirationHeader = async (
  ctx: Storage,
  { id }: Pick<BucketFacts, 'id'>,
  { object_key: key, size_bytes: size, tags, stored_at }: Content,
): Promise<Record<string, string>> => {
  const due = expirationOf(await rulesOf(ctx, id), { key, size, tags, storedAt: new Date(stored_at) })
  return due ? { 'x-amz-expiration': described(due.at, due.rule.id) } : {}
}

/** The same for an object that was written just now, unless another one has taken its place since. */
export const expirationOfNew = async (ctx: Storage, bucket: BucketFacts, key: string, etag: string) => {
  if ((await rulesOf(ctx, bucket.id)).expiring.length === 0) return {}
  const object = await findContent(ctx, { bucketId: bucket.id, key })
  return object?.etag === etag ? expirationHeader(ctx, bucket, object) : {}
}

/** When an upload will fail if it is not completed. */
export const abortHeaders = async (ctx: Storage, session: Session): Promise<Record<string, string>> => {
  const due = await abortion(ctx, session)
  return due
    ? {
        'x-amz-abort-date': due.at.toUTCString(),
        'x-amz-abort-rule-id': encodeURIComponent(due.rule.id),
      }
    : {}
}
