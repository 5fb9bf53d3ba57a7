import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Sql } from '#platform/db/database.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Publishing } from '../context.ts'
import { findPeople } from '../profiles/profiles.ts'
import type { Person } from '../profiles/store.ts'
import * as store from './store.ts'

export const accessLifetimeSeconds = 15 * 60
const refreshLifetimeMs = 30 * 86_400_000

/** A short-lived access token, and a refresh token of the given family (a new one for a new sign-in). */
export const openSession = async (
  ctx: Publishing,
  q: Sql,
  person: Pick<Person, 'id' | 'epoch'>,
  family = uuidv7(),
) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + refreshLifetimeMs)
  const { id: userId, epoch } = person
  await store.insertRefreshToken(q, { hash, family, userId, epoch, expiresAt })
  const accessToken = await ctx.tokens.issue({ sub: String(userId), epoch })
  return { accessToken, refreshToken: token, expiresIn: accessLifetimeSeconds }
}

/** Trades a refresh token for a new pair. One that was used before has leaked: its whole family ends. */
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
    const [person] = await findPeople(tx, [row.userId])
    if (person?.isSuspended) forbidden('Account suspended')
    return person?.epoch === row.epoch ? openSession(ctx, tx, person, row.family) : null
  })
  return session ?? unauthorized('Invalid or expired refresh token')
}

/** Ends the sign-in that a refresh token belongs to; an unknown one is already ended. */
export const closeSession = (ctx: Publishing, token: string) =>
  ctx.db.transaction(async (tx) => {
    const row = await store.lockFamilyOf(tx, hashOneTimeToken(token))
    if (row) await store.deleteFamily(tx, row.family)
  })
