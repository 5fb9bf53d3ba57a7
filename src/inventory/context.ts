import type { Tokens } from '#platform/auth/tokens.ts'
import type { Platform } from '#platform/platform.ts'
import type { OrRefuse } from '#platform/refusals.ts'

export type Role = 'Admin' | 'Manager' | 'Staff'

/** Who is asking, and for which tenant. An API key is no user, and has the present role of whoever created it. */
export type Principal = {
  userId: number | null
  keyId?: number
  tenantId: number
  role: Role
  ip: string
  /** The name of the console session that the request belongs to. */
  session?: string
}

export type Claims = { sub: string; epoch: number }

/** What the rules of this service are given. Caches belong to the modules whose data they hold. */
export type Inventory = Platform & { tokens: Tokens<Claims>; orRefuse: OrRefuse }
