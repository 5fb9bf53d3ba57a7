import { getLifecycle, replaceLifecycle } from '../../lifecycle/lifecycle.ts'
import type { LifecycleRule } from '../../lifecycle/schema.ts'
import { refuse } from '../errors.ts'
import { payloadOf, readVouchedDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import type { Call } from '../request.ts'
import { readRules } from './lifecycle-document.ts'
import { bucketOf } from './places.ts'

export const putBucketLifecycle = async (call: Call) => {
  const bucket = await bucketOf(call)
  const document = await readVouchedDocument(payloadOf(call))
  await replaceLifecycle(call.ctx, call.me, bucket.id, readRules(document))
  return emptyReply(200)
}

const filterOf = (rule: LifecycleRule) => {
  const conditions = {
    Prefix: rule.prefix || undefined,
    Tag: Object.entries(rule.tags).map(([Key, Value]) => ({ Key, Value })),
    ObjectSizeGreaterThan: rule.min_size_bytes === null ? undefined : rule.min_size_bytes - 1,
    ObjectSizeLessThan: rule.max_size_bytes === null ? undefined : rule.max_size_bytes + 1,
  }
  const count = Object.values(conditions)
    .flat()
    .filter((value) => value !== undefined).length
  if (count === 0) return { Prefix: '' }
  return count === 1 ? conditions : { And: conditions }
}

const expirationOf = (rule: LifecycleRule) => {
  const { expiration_days, expiration_date, expired_delete_markers } = rule
  if (expiration_days === null && expiration_date === null && !expired_delete_markers) return undefined
  return {
    Days: expiration_days,
    Date: expiration_date,
    ExpiredObjectDeleteMarker: expired_delete_markers || undefined,
  }
}

export const getBucketLifecycle = async (call: Call) => {
  const bucket = await bucketOf(call)
  const { rules } = await getLifecycle(call.ctx, call.me, bucket.id)
  if (rules.length === 0) refuse('NoSuchLifecycleConfiguration')
  return xmlReply('LifecycleConfiguration', {
    Rule: rules.map((rule) => ({
      ID: rule.id,
      Filter: filterOf(rule),
      Status: rule.enabled ? 'Enabled' : 'Disabled',
      Expiration: expirationOf(rule),
      NoncurrentVersionExpiration:
        rule.noncurrent_days === null
          ? undefined
          : {
              NoncurrentDays: rule.noncurrent_days,
              NewerNoncurrentVersions: rule.newer_noncurrent_versions,
            },
      AbortIncompleteMultipartUpload:
        rule.abort_uploads_days === null ? undefined : { DaysAfterInitiation: rule.abort_uploads_days },
    })),
  })
}

export const deleteBucketLifecycle = async (call: Call) => {
  const bucket = await bucketOf(call)
  await replaceLifecycle(call.ctx, call.me, bucket.id, [])
  return emptyReply(204)
}
