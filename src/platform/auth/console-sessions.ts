import type { IncomingHttpHeaders } from 'node:http'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { ServiceName } from '#platform/config.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { AppError, unauthorized } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './console-session-store.ts'
import { newOneTimeToken } from './one-time.ts'
import { firstSession, sessionCookie } from './session-cookie.ts'

export { deleteExpiredSessions } from './console-session-store.ts'

const lifetimeSeconds = 30 * 86_400
const topic = 'platform.console-session'

/** Sessions by their name, which is the Base64 of the hash of their cookie. */
const sessions = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic,
    max: 50_000,
    load: (name) => store.findSession(db.sql, hashOf(name)),
  }),
)
const hashOf = (name: string) => Buffer.from(name, 'base64')

type Request = { headers: IncomingHttpHeaders }
type Account = { epoch: number }

/**
 * Whether the console sent the request itself. Another site cannot set this header without asking first (CORS), and a
 * stored file that is opened in the browser does not set it: neither can use the session.
 */
const isFromConsole = ({ headers }: Request) => {
  const site = headers['sec-fetch-site']
  return headers['x-trivet-console'] === '1' && (site === undefined || site === 'same-origin')
}

const ended = () => unauthorized('Your session has ended: sign in again')

/**
 * Sessions of people who use the console of a service: a cookie that scripts cannot read, instead of a token that they
 * would have to keep. A session ends like a token does when the epoch of its account changes.
 */
export const consoleSessions = (service: ServiceName) => {
  const cookie = sessionCookie(service, 'Strict')

  const presentedIn = (ctx: Platform, req: Request) =>
    isFromConsole(req) ? cookie.presentedIn(cookie.visitOf(ctx.config, req)) : []

  return {
    /** Returns the `Set-Cookie` header. */
    async open(ctx: Platform, q: Sql, req: Request, account: string, { epoch }: Account) {
      const { token, hash } = newOneTimeToken()
      const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeSeconds * 1000)
      await store.insertSession(q, { hash, service, account, epoch, expiresAt })
      return cookie.header(cookie.visitOf(ctx.config, req), token, lifetimeSeconds)
    },

    /** Whose session the request belongs to; nothing if it has none, 401 if it has ended. */
    async account<Found extends Account>(
      ctx: Platform,
      req: Request,
      find: (id: string) => Found | undefined | Promise<Found | undefined>,
    ): Promise<{ account: Found; session: string } | undefined> {
      const presented = presentedIn(ctx, req)
      if (presented.length === 0) return undefined
      const found = await firstSession(presented, {
        existing: (hashes) => store.existingSessions(ctx.db.sql, service, hashes),
        async open({ name }) {
          const session = await sessions(ctx).get(name)
          if (session?.service !== service) return undefined
          if (Date.parse(session.expiresAt) <= ctx.clock.now().getTime()) return undefined
          const account = await find(session.account)
          return account?.epoch === session.epoch ? { account, session: name } : undefined
        },
      })
      return found ?? ended()
    },

    /** Ends every session that the browser presents. Returns the `Set-Cookie` header that deletes the cookie. */
    async close(ctx: Platform, req: Request) {
      const presented = presentedIn(ctx, req)
      if (presented.length === 0) unauthorized('There is no session')
      const hashes = presented.map(({ hash }) => hash)
      await ctx.db.transaction(async (tx) => {
        const closed = await store.deleteSessions(tx, service, hashes)
        if (closed.length === 0) ended()
        for (const { hash } of closed) await ctx.signals.publish(tx, topic, hash.toString('base64'))
      })
      return cookie.header(cookie.visitOf(ctx.config, req), '', 0)
    },
  }
}

/** For those who ask whether there is a session: that there is none, or no longer, is no error then. */
export const orNobody = <T>(found: Promise<T>) =>
  found.catch((error) => {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  })

/** Whoever changes their password stays signed in where they do it: this session goes on in the new epoch. */
export const keepSession = async (ctx: Platform, tx: Tx, name: string, epoch: number) => {
  await store.moveSession(tx, hashOf(name), epoch)
  await ctx.signals.publish(tx, topic, name)
}

/** How the API reference describes such a session. */
export const sessionScheme = (service: ServiceName, opens: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name: `trivet_${service}`,
  description:
    `The session of a console, from ${opens}; \`__Host-trivet_${service}\` over HTTPS. It counts only on requests with ` +
    'the header `X-Trivet-Console: 1` from pages of this server.',
})
