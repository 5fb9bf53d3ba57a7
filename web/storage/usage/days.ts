export type UsageDay = {
  day: string
  stored_bytes: number
  object_count: number
  uploaded_bytes: number
  downloaded_bytes: number
  bandwidth_used_bytes: number
}
export type Quotas = { storage_quota_bytes: number; bandwidth_quota_bytes: number }

const dayMs = 86_400_000

/** All days of a period. The API leaves out those before the organization was created, on which it used nothing. */
export const wholePeriod = ({ from, days }: { from: string; days: UsageDay[] }): UsageDay[] => {
  const first = days[0]?.day ?? from
  const missing = Math.max(0, Math.round((Date.parse(first) - Date.parse(from)) / dayMs))
  const before = Array.from({ length: missing }, (_, n) => ({
    day: new Date(Date.parse(from) + n * dayMs).toISOString().slice(0, 10),
    stored_bytes: 0,
    object_count: 0,
    uploaded_bytes: 0,
    downloaded_bytes: 0,
    bandwidth_used_bytes: 0,
  }))
  return [...before, ...days]
}
