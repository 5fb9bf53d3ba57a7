import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import type { Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { readAccountNow } from '../profiles/profiles.ts'
import { type Newcomer, newSession, sessionLifetimeMs } from './sessions.ts'
import * as store from './store.ts'

export const accessLifetimeSeconds = 15 * 60

type Holder = { userId: number; epoch: number; id: number }

const pairOf = async (ctx: Publishing, { userId, epoch, id }: Holder, refreshToken: string) => {
  const accessToken = await ctx.tokens.issue({ sub: String(userId), epoch, session: id })
  return { accessToken, refreshToken, expiresIn: accessLifetimeSeconds }
}

/** Signs a program in: a short-lived access token, and a refresh token for the next one. */
export const openSession = async (ctx: Publishing, q: Sql, newcomer: Newcomer) => {
  const { token, hash } = newOneTimeToken()
  const session = newSession(ctx, newcomer)
  const id = await store.insertForProgram(q, session, hash)
  return pairOf(ctx, { ...session, id }, token)
}

const revoke = async (ctx: Publishing, tx: Tx, id: number) => {
  await store.deleteLocked(tx, id)
  await invalidate(ctx, tx, { session: [id] })
}

/** Exchanges a refresh token for a new pair. A token that was used before has leaked: its whole session ends. */
export const refreshSession = async (ctx: Publishing, token: string) => {
  const used = hashOneTimeToken(token)
  const pair = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const session = await store.lockSessionOf(tx, used)
    if (!session || Date.parse(session.expiresAt) <= now.getTime()) return null
    if (session.usedAt) {
      await revoke(ctx, tx, session.id)
      return null
    }
    const account = await readAccountNow(tx, session.userId)
    if (account?.isSuspended) forbidden('Account suspended')
    if (account?.epoch !== session.epoch) return null
    const next = newOneTimeToken()
    const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
    await store.turn(tx, { id: session.id, used, next: next.hash, now, expiresAt })
    return pairOf(ctx, session, next.token)
  })
  return pair ?? unauthorized('Invalid or expired refresh token')
}

/** Ends the session that a refresh token belongs to; an unknown token is no error. */
export const closeSession = (ctx: Publishing, token: string) =>
  ctx.db.transaction(async (tx) => {
    const session = await store.lockSessionOf(tx, hashOneTimeToken(token))
    if (session) await revoke(ctx, tx, session.id)
  })
