import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Sql } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Member, Publishing } from '../context.ts'
import { invalidate, topics } from '../invalidation.ts'
import { accounts } from '../profiles/cache.ts'
import type { Account } from '../profiles/profiles.ts'
import * as store from './browser-store.ts'
import { cookie, type Visit } from './cookie.ts'
import { formTokenOf } from './form-token.ts'

const lifetimeSeconds = 30 * 86_400

/** Sessions by the Base64 of the hash of their cookie. */
const sessions = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.session,
    max: 50_000,
    load: (encoded) => store.findSession(db.sql, Buffer.from(encoded, 'base64')),
  }),
)

/** Signs a browser in; returns the `Set-Cookie` header. */
export const openBrowserSession = async (
  ctx: Publishing,
  q: Sql,
  visit: Visit,
  { id: userId, epoch }: Pick<Account, 'id' | 'epoch'>,
) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeSeconds * 1000)
  await store.insertSession(q, { hash, userId, epoch, expiresAt })
  return cookie.header(visit, token, lifetimeSeconds)
}

/** Signs a browser out; returns the `Set-Cookie` header. */
export const closeBrowserSession = async (ctx: Publishing, visit: Visit) => {
  const token = cookie.tokenIn(visit)
  if (token)
    await ctx.db.transaction(async (tx) => {
      const hash = hashOneTimeToken(token)
      await store.deleteSession(tx, hash)
      await invalidate(ctx, tx, { session: [hash.toString('base64')] })
    })
  return cookie.header(visit, '', 0)
}

/** For whoever is signed in with a browser; the code tells it from a page about another account that is suspended. */
export const refuseSuspended = (): never => {
  throw new AppError(403, 'Account suspended', { code: 'own_account_suspended' })
}

/** Who is signed in with a browser; null if nobody is, or no longer. */
export const findBrowserSession = async (
  ctx: Publishing,
  visit: Visit,
): Promise<{ principal: Member; isSuspended: boolean } | null> => {
  const token = cookie.tokenIn(visit)
  if (!token) return null
  const session = await sessions(ctx).get(hashOneTimeToken(token).toString('base64'))
  if (!session || Date.parse(session.expiresAt) <= ctx.clock.now().getTime()) return null
  const account = await accounts(ctx).get(String(session.userId))
  if (!account || account.epoch !== session.epoch) return null
  const { id: userId, handle, username, avatar_url, isAdmin, isSuspended } = account
  const formToken = formTokenOf(token)
  return { principal: { userId, handle, username, avatar_url, isAdmin, formToken }, isSuspended }
}
