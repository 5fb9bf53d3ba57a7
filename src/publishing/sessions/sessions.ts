import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Sql } from '#platform/db/database.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Publishing } from '../context.ts'
import { type Account, readAccountNow } from '../profiles/profiles.ts'
import { deleteExpiredBrowserSessions } from './browser-store.ts'
import * as store from './store.ts'

export const accessLifetimeSeconds = 15 * 60
const refreshLifetimeMs = 30 * 86_400_000

/** Issues a short-lived access token and a refresh token. A new sign-in begins a new family of refresh tokens. */
export const openSession = async (
  ctx: Publishing,
  q: Sql,
  { id: userId, epoch }: Pick<Account, 'id' | 'epoch'>,
  family = uuidv7(),
) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + refreshLifetimeMs)
  await store.insertRefreshToken(q, { hash, family, userId, epoch, expiresAt })
  const accessToken = await ctx.tokens.issue({ sub: String(userId), epoch })
  return { accessToken, refreshToken: token, expiresIn: accessLifetimeSeconds }
}

/** Exchanges a refresh token for a new pair. A token that was used before has leaked: its whole family is revoked. */
export const refreshSession = async (ctx: Publishing, token: string) => {
  const hash = hashOneTimeToken(token)
  const session = await ctx.db.transaction(async (tx) => {
    const row = await store.lockFamilyOf(tx, hash)
    if (!row || Date.parse(row.expiresAt) <= ctx.clock.now().getTime()) return null
    if (row.usedAt) {
      await store.deleteFamily(tx, row.family)
      return null
    }
    await store.markUsed(tx, hash, ctx.clock.now())
    const account = await readAccountNow(tx, row.userId)
    if (account?.isSuspended) forbidden('Account suspended')
    return account?.epoch === row.epoch ? openSession(ctx, tx, account, row.family) : null
  })
  return session ?? unauthorized('Invalid or expired refresh token')
}

/** Ends the sign-in that a refresh token belongs to; an unknown token is no error. */
export const closeSession = (ctx: Publishing, token: string) =>
  ctx.db.transaction(async (tx) => {
    const row = await store.lockFamilyOf(tx, hashOneTimeToken(token))
    if (row) await store.deleteFamily(tx, row.family)
  })

export const deleteExpiredSessions = async (ctx: Publishing) => {
  await store.deleteExpiredRefreshTokens(ctx.db.sql, ctx.clock.now())
  await deleteExpiredBrowserSessions(ctx.db.sql, ctx.clock.now())
}
