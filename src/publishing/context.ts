import type { Tokens } from '#platform/auth/tokens.ts'
import type { Cache } from '#platform/cache.ts'
import type { Platform } from '#platform/platform.ts'
import type { Circle } from './graph/store.ts'
import type { KnownKey } from './keys/store.ts'
import type { Created, NewPostRow, PostRow } from './posts/store.ts'
import type { Person, Tallies } from './profiles/store.ts'
import type { ResponseCache } from './responses/cache.ts'
import type { BrowserSession } from './sessions/browser-store.ts'
import type { Newest } from './timelines/newest.ts'

/** The account that is asking, and the key by which it does. */
export type Principal = {
  userId: number
  handle: string
  isAdmin: boolean
  keyId?: number
  dailyLimit?: number
}

/** Who is looking; nobody in particular without a token. */
export type Viewer = Principal | null

export type Claims = { sub: string; epoch: number }

/** What is remembered between requests, each forgotten when it changes. */
export type Memory = {
  /** Accounts by id, without what changes with every post. */
  people: Cache<Person | undefined>
  /** The counters of accounts by id. */
  tallies: Cache<Tallies | undefined>
  /** Ids by lower-case handle. */
  handles: Cache<number | undefined>
  /** Whom an account follows and mutes. */
  circles: Cache<Circle>
  posts: Cache<PostRow | undefined>
  keys: Cache<KnownKey | undefined>
  /** Sign-ins of browsers, by the hash of their cookie. */
  sessions: Cache<BrowserSession | undefined>
}

/** The publishing service's context: the platform, and what this service remembers. */
export type Publishing = Platform & {
  tokens: Tokens<Claims>
  memory: Memory
  /** Whole answers by their address. */
  responses: ResponseCache
  newest: Newest
  /** Writes a post, or says why not. */
  post(post: NewPostRow): Promise<Created & { now: Date }>
}
