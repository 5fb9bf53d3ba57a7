import type { Tokens } from '#platform/auth/tokens.ts'
import type { Cache } from '#platform/cache.ts'
import type { Platform } from '#platform/platform.ts'
import type { Arrivals } from './arrivals/reservations.ts'
import type { PaymentProvider } from './billing/providers/provider.ts'
import type { Sandbox } from './billing/providers/sandbox.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { LastUse } from './keys/last-use.ts'
import type { Counts } from './objects/counting.ts'
import type { DownloadedUrls } from './objects/fast-downloads.ts'
import type { ObjectHead } from './objects/store.ts'
import type { What } from './policies/authorize.ts'
import type { Action, Policy } from './policies/evaluate.ts'
import type { Traffic } from './traffic/traffic.ts'

export type Role = 'owner' | 'admin' | 'member'

/** Who is asking: a person, or an API key that acts with its creator's current role. */
export type Principal = {
  userId: string
  orgId: string
  role: Role
  keyId: string | null
  /** The keys that this key descends from, its parent first. */
  ancestorIds: readonly string[]
  ip: string
  /** What policies have allowed so far in this request. */
  grants?: Grant[]
}

/** Something that the policy of a bucket was asked for, and allowed. */
export type Grant = { bucketId: string; action: Action; what: What }

export type Claims = { sub: string; epoch: number }

/** What the guard must know of a person on every request. */
export type Person = { id: string; orgId: string; role: Role; epoch: number }
export type KnownKey = { id: string; userId: string; ancestorIds: readonly string[] }
/** What a write must know of its organization's plan. */
export type KnownPlan = { expiresAt: Date }

/** What every request on a bucket must know of it; its counters are not here, they change all the time. */
export type BucketFacts = {
  id: string
  orgId: string
  name: string
  visibility: 'private' | 'public'
  versioningEnabled: boolean
  policy: Policy
}

/** The storage service's context: the platform, and what this service remembers. */
export type Storage = Platform & {
  tokens: Tokens<Claims>
  people: Cache<Person | undefined>
  keys: Cache<KnownKey | undefined>
  keyUses: LastUse
  plans: Cache<KnownPlan | undefined>
  buckets: Cache<BucketFacts | undefined>
  /** Live objects by `<bucket id>/<key>`. */
  heads: Cache<ObjectHead | undefined>
  counts: Counts
  downloadedUrls: DownloadedUrls
  blobs: Blobs
  arrivals: Arrivals
  traffic: Traffic
  payments: PaymentProvider
  /** The same provider, where it is the sandbox. */
  sandbox: Sandbox | null
}
