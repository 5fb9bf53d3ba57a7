import type { Finished } from './deliveries-store.ts'
import type { Attempt } from './sender.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const delays = [
  5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour,
] // biome-ignore format: one list
const spread = 0.2

/** When a delivery of which so many attempts have failed is tried again; never, after the last. */
const nextAttempt = (failed: number, now: Date, chance = Math.random()) => {
  const delay = delays[failed - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay * (1 + spread * (2 * chance - 1)))
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300

/** What an attempt means for its delivery, of which `failed` attempts had failed before. */
export const outcomeOf = (
  attempt: Attempt,
  failed: number,
  now: Date,
): Omit<Finished, 'id' | 'webhook_id'> => {
  const { response_status: status } = attempt
  if (isSuccess(status)) return { ...attempt, status: 'succeeded', due_at: null }
  const next = nextAttempt(failed + 1, now)
  const error = attempt.error ?? `The receiver responded with ${status}`
  return { ...attempt, error, status: next ? 'pending' : 'dead', due_at: next?.toISOString() ?? null }
}

/** A delivery that is not attempted. */
export const leftOut = (error: string): Omit<Finished, 'id' | 'webhook_id'> => ({
  status: 'dead',
  due_at: null,
  response_status: null,
  response_time_ms: null,
  response_body: null,
  error,
})
