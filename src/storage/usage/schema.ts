import { Type } from 'typebox'
import { Named } from '#platform/http/schema.ts'

const Count = Type.Integer({ minimum: 0 })

export const UsageSummary = Named('UsageSummary', {
  storage_used_bytes: Count,
  storage_quota_bytes: Count,
  bandwidth_used_bytes: Count,
  object_count: Count,
  bucket_count: Count,
})

export const UsageSummaryR = Named('UsageSummaryR', {
  storageUsedBytes: Count,
  storageQuotaBytes: Count,
  bandwidthUsedBytes: Count,
  bandwidthQuotaBytes: Count,
  objectCount: Count,
  bucketCount: Count,
  requestId: Type.String(),
})
