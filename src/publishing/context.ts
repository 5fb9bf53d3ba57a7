import type { Tokens } from '#platform/auth/tokens.ts'
import type { Cache } from '#platform/cache.ts'
import type { Sql } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'

/** The account that is asking. */
export type Principal = { userId: number; handle: string; isAdmin: boolean }

export type Claims = { sub: string; epoch: number }

/** What the guard must know of an account on every request. */
export type Person = { id: number; handle: string; epoch: number; isAdmin: boolean; isSuspended: boolean }

/** The publishing service's context: the platform, and what this service remembers. */
export type Publishing = Platform & {
  tokens: Tokens<Claims>
  people: Cache<Person | undefined>
  loadPerson(q: Sql, id: number): Promise<Person | undefined>
}
