import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceApp } from '#platform/http/app.ts'
import { countAgainst } from '#platform/http/request/count-against.ts'
import type { ServiceModule } from '#platform/http/service.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Member, Principal, Publishing, Reader, Viewer } from './context.ts'

/**
 * Who may call a route. Of the API:
 * - `open`: everybody, without credentials or limits;
 * - `public`: everybody; credentials are ignored;
 * - `reader`: everybody, but a bearer token shows more;
 * - `user`: whoever has a bearer token;
 * - `poster`: whoever has a bearer token or an API key;
 * - `listener`: the same, and with `?scope=public` everybody;
 * - `admin`: admins, with a bearer token.
 *
 * Of pages, which accept only the session cookie: `page` is for everybody, `member` for whoever is signed in.
 */
const access = ['open', 'public', 'reader', 'user', 'poster', 'listener', 'admin', 'page', 'member'] as const
export type Access = (typeof access)[number]

export const limits = {
  signIn: { name: 'publishing.sign-in', max: 10, windowSeconds: 60, strict: true },
  reads: { name: 'publishing.reads', max: 500, windowSeconds: 900 },
  search: { name: 'publishing.search', max: 100, windowSeconds: 900 },
  /** Refreshing and ending sign-ins, which needs no credentials but the token itself. */
  sessions: { name: 'publishing.sessions', max: 60, windowSeconds: 60 },
  /** All changes an account makes, by tokens and forms together, except posts, which have the burst limit instead. */
  writes: { name: 'publishing.writes', max: 300, windowSeconds: 60 },
  /** Each reads all that an account has. */
  exports: { name: 'publishing.exports', max: 5, windowSeconds: 3600 },
} satisfies Record<string, Limit>

/** `burst`: posts have limits of their own, which are counted in the database. */
const routeLimits = ['signIn', 'search', 'sessions', 'burst'] as const
type RouteLimit = (typeof routeLimits)[number]

/** The words that routes may use; see `Service.words`. */
export const words = { access, limits: routeLimits }
export type RouteAccess = { access: Access; limit?: RouteLimit }
export type Module = ServiceModule<Publishing, Access, RouteLimit>
export type App = ServiceApp<Access, RouteLimit>

/** The principal that the guard found, as the access of the route allows. */
export const who = (req: FastifyRequest) => req.principal as Principal
export const viewer = (req: FastifyRequest) => req.principal as Viewer
export const member = (req: FastifyRequest) => req.principal as Member
export const reader = (req: FastifyRequest) => req.principal as Reader

/** Counts a change against the account that makes it. */
export const limitWrites = (ctx: Publishing, { userId }: Principal, reply: FastifyReply) =>
  countAgainst(ctx.limiter, limits.writes, String(userId), reply)

export const limitExports = (ctx: Publishing, { userId }: Principal, reply: FastifyReply) =>
  countAgainst(ctx.limiter, limits.exports, String(userId), reply)
