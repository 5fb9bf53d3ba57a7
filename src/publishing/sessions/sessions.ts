import { signalledCache } from '#platform/cache/signalled.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal, Publishing } from '../context.ts'
import { changed, topics } from '../invalidation.ts'
import type { Session } from './schema.ts'
import * as store from './store.ts'

export const sessionLifetimeMs = 30 * 86_400_000
const noteEveryMs = 5 * 60_000
const maxListed = 100

/** Who signs in, and from what. */
export type Newcomer = { id: number; epoch: number; device: string | null }

export const newSession = (ctx: Publishing, { id: userId, epoch, device }: Newcomer): store.NewSession => {
  const now = ctx.clock.now()
  return { userId, epoch, device, now, expiresAt: new Date(now.getTime() + sessionLifetimeMs) }
}

const cacheOf = (load: (q: Sql, name: string) => Promise<store.Known | undefined>) =>
  moduleState(({ db, signals }: Platform) =>
    signalledCache(signals, { topic: topics.session, max: 50_000, load: (name) => load(db.sql, name) }),
  )
const byId = cacheOf((q, id) => store.findById(q, Number(id)))
const byCookie = cacheOf((q, encoded) => store.findByCookie(q, Buffer.from(encoded, 'base64')))

/** Notes that a session is used, unless that was noted a few minutes ago. */
const noteUse = async (ctx: Publishing, session: store.Known) => {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() - noteEveryMs)
  if (Date.parse(session.lastUsedAt) > before.getTime()) return
  // The cached session itself, and at once: of the requests that come now, one writes.
  session.lastUsedAt = now.toISOString()
  await ctx.db.write((q) => store.noteUse(q, session.id, now, before))
}

/** The session that an access token names. When it expires is up to the token. */
export const useById = async (ctx: Publishing, id: number) => {
  const session = Number.isSafeInteger(id) ? await byId(ctx).get(String(id)) : undefined
  if (session) await noteUse(ctx, session)
  return session
}

export const useByCookie = async (ctx: Publishing, hash: Buffer) => {
  const session = await byCookie(ctx).get(hash.toString('base64'))
  if (!session || Date.parse(session.expiresAt) <= ctx.clock.now().getTime()) return undefined
  await noteUse(ctx, session)
  return session
}

/** Those that were used last come first. */
export const listSessions = async (ctx: Publishing, me: Principal): Promise<Session[]> => {
  const found = await store.listSessions(ctx.db.sql, me.userId, maxListed)
  return found.map((session) => ({ ...session, is_current: session.id === me.sessionId }))
}

type Ended = { names: string[] }[]

/** Ends the sessions that `remove` deletes, on every node; returns how many. */
export const end = async (ctx: Publishing, remove: (q: Sql) => Promise<Ended>) => {
  const ended = await ctx.db.write(remove)
  changed(ctx, { session: ended.flatMap(({ names }) => names) })
  return ended.length
}

export const endSession = async (ctx: Publishing, { userId }: Principal, id: number) =>
  (await end(ctx, (q) => store.deleteOne(q, userId, id))) || notFound('Session not found')

export const endOtherSessions = (ctx: Publishing, { userId, sessionId = 0 }: Principal) =>
  end(ctx, (q) => store.deleteOthers(q, userId, sessionId))

/** Together with a new epoch of the account, which every node is told of. */
export const endAllSessions = (tx: Tx, userId: number) => store.deleteAll(tx, userId)

export const deleteExpiredSessions = (ctx: Publishing) => store.deleteExpired(ctx.db.sql, ctx.clock.now())
