import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Sql } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Member, Publishing } from '../context.ts'
import { accounts } from '../profiles/cache.ts'
import { cookie, type Visit } from './cookie.ts'
import { formTokenOf } from './form-token.ts'
import { end, type Newcomer, newSession, sessionLifetimeMs, useByCookie } from './sessions.ts'
import * as store from './store.ts'

/** Signs a browser in; returns the `Set-Cookie` header. */
export const openBrowserSession = async (ctx: Publishing, q: Sql, visit: Visit, newcomer: Newcomer) => {
  const { token, hash } = newOneTimeToken()
  await store.insert(q, newSession(ctx, newcomer), hash)
  return cookie.header(visit, token, sessionLifetimeMs / 1000)
}

/** Signs a browser out; returns the `Set-Cookie` header. */
export const closeBrowserSession = async (ctx: Publishing, visit: Visit) => {
  const token = cookie.tokenIn(visit)
  if (token) await end(ctx, (q, signal) => store.deleteByCookie(q, hashOneTimeToken(token), signal))
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
  const session = token && (await useByCookie(ctx, hashOneTimeToken(token)))
  if (!session) return null
  const account = await accounts(ctx).get(String(session.userId))
  if (!account || account.epoch !== session.epoch) return null
  const { id: userId, handle, username, avatar_url, isAdmin, isSuspended } = account
  const formToken = formTokenOf(token)
  const principal = { userId, handle, username, avatar_url, isAdmin, formToken, sessionId: session.id }
  return { principal, isSuspended }
}
