import type { Tokens } from '#platform/auth/tokens.ts'
import type { Cache } from '#platform/cache/signalled.ts'
import type { Platform } from '#platform/platform.ts'
import type { UsageLog } from './keys/usage.ts'
import type { Rankings } from './reports/ranking.ts'

export type Role = 'Admin' | 'Manager' | 'Staff'

/** Who is asking, and for which tenant. An API key is nobody, with the rights of a manager where it may enter. */
export type Principal = { userId: number | null; keyId?: number; tenantId: number; role: Role }

export type Claims = { sub: string; epoch: number }

/** What the guard must know of a person on every request. */
export type Person = {
  id: number
  tenantId: number
  role: Role
  epoch: number
  isBanned: boolean
  subscriptionExpiresAt: string
}

/** What the guard must know of an API key on every request. */
export type KnownKey = {
  id: number
  tenantId: number
  /** Whoever made it: the key works only while they may enter themselves. */
  createdBy: number
  canWrite: boolean
  isRevoked: boolean
  expiresAt: string | null
  subscriptionExpiresAt: string
}

/** The inventory service's context: the platform, and what this service remembers. */
export type Inventory = Platform & {
  tokens: Tokens<Claims>
  people: Cache<Person | undefined>
  keys: Cache<KnownKey | undefined>
  usage: UsageLog
  rankings: Rankings
}
