import type { Platform } from '#platform/platform.ts'
import type { OrRefuse } from '#platform/refusals.ts'

export type Role = 'owner' | 'admin' | 'member'

/** The caller: a user, or an API key that acts with its creator's current role. */
export type Principal = {
  userId: string
  orgId: string
  role: Role
  keyId: string | null
  /** The keys that this key descends from, its parent first. */
  ancestorIds: readonly string[]
  ip: string
  /** The name of the console session that the request belongs to. */
  session?: string
  /** What bucket policies have allowed so far in this request; see `buckets/authorize.ts`. */
  grants?: unknown[]
}

/** What the rules of this service are given. Caches and other state belong to modules; see `moduleState`. */
export type Storage = Platform & { orRefuse: OrRefuse }
