import { Day, Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const Count = Type.Integer({ minimum: 0 })
const Retained = Type.Integer({
  minimum: 0,
  description: 'Objects, live and deleted, versions, delete markers and pending uploads',
})

export const UsageSummary = Named('UsageSummary', {
  storage_used_bytes: Count,
  storage_quota_bytes: Count,
  retained_objects: Retained,
  object_quota: Count,
  bandwidth_used_bytes: Count,
  object_count: Count,
  bucket_count: Count,
})

export const UsageSummaryR = Named('UsageSummaryR', {
  storageUsedBytes: Count,
  storageQuotaBytes: Count,
  retainedObjects: Retained,
  objectQuota: Count,
  bandwidthUsedBytes: Count,
  bandwidthQuotaBytes: Count,
  objectCount: Count,
  bucketCount: Count,
  requestId: Type.String(),
})

export const HistoryQuery = Type.Object({
  from: Type.Optional(Day),
  to: Type.Optional(Day),
})
export type HistoryQuery = Type.Static<typeof HistoryQuery>

export const UsageHistory = Named('UsageHistory', {
  from: Day,
  to: Day,
  storage_quota_bytes: Count,
  bandwidth_quota_bytes: Type.Integer({ minimum: 0, description: 'For each month' }),
  days: Type.Array(
    Named('UsageDay', {
      day: Day,
      stored_bytes: Type.Integer({ minimum: 0, description: 'At the end of the day, or now' }),
      object_count: Type.Integer({ description: 'At the end of the day, or now' }),
      uploaded_bytes: Count,
      downloaded_bytes: Count,
      bandwidth_used_bytes: Type.Integer({
        minimum: 0,
        description: 'What was sent in the month of this day until its end',
      }),
    }),
  ),
})
