import type { FastifyRequest } from 'fastify'
import type { ServiceApp, ServiceModule } from '#platform/http/service.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Principal, Publishing, Viewer } from './context.ts'

/**
 * `open`: neither credentials nor limits are looked at. `public`: no credentials are looked at. `reader`: none are needed, but a token shows more. `user`: a bearer
 * token is needed. `poster`: a token or an API key. `admin`: the token of an admin.
 * Of pages, which know the cookie of a browser and nothing else: `page` is for all, `member` for who is signed in.
 */
const access = ['open', 'public', 'reader', 'user', 'poster', 'admin', 'page', 'member'] as const
export type Access = (typeof access)[number]

export const limits = {
  signIn: { name: 'publishing.sign-in', max: 10, windowSeconds: 60, strict: true },
  reads: { name: 'publishing.reads', max: 500, windowSeconds: 900 },
  search: { name: 'publishing.search', max: 100, windowSeconds: 900 },
  /** Refreshing and ending sign-ins, which needs no credentials but the token itself. */
  sessions: { name: 'publishing.sessions', max: 60, windowSeconds: 60 },
  /** Whatever an account changes, by tokens and forms together; posts have the burst instead. */
  writes: { name: 'publishing.writes', max: 300, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** `burst`: posts have limits of their own, which are counted with them in the database. */
const routeLimits = ['signIn', 'search', 'sessions', 'burst'] as const
type RouteLimit = (typeof routeLimits)[number]

/** The words that routes may use; see `Service.words`. */
export const words = { access, limits: routeLimits }
export type RouteAccess = { access: Access; limit?: RouteLimit }
export type Module = ServiceModule<Publishing, Access, RouteLimit>
export type App = ServiceApp<Access, RouteLimit>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal
export const viewer = (req: FastifyRequest) => req.principal as Viewer
