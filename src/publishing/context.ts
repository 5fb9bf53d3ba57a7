import type { Tokens } from '#platform/auth/tokens.ts'
import type { Platform } from '#platform/platform.ts'

/** The account that makes a request, and the session or the API key that it uses. */
export type Principal = {
  userId: number
  handle: string
  isAdmin: boolean
  sessionId?: number
  keyId?: number
  dailyLimit?: number
}

/** Who reads; null without credentials. */
export type Viewer = Principal | null

/**
 * An account that is signed in with a browser. `formToken` proves that a form came from one of our own pages, `unread`
 * is the number of its unread notifications, as far as pages show it.
 */
export type Member = Principal & {
  username: string
  avatar_url: string | null
  formToken: string
  unread?: number
}
/** Who reads a page; null if not signed in. */
export type Reader = Member | null

export type Claims = { sub: string; epoch: number; session: number }

/** The context of the publishing service. Modules keep their own state, such as caches, with `moduleState`. */
export type Publishing = Platform & { tokens: Tokens<Claims> }
