import { newOneTimeToken } from '#platform/auth/one-time.ts'
import { firstSession, type PresentedSession } from '#platform/auth/session-cookie.ts'
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

/** Signs a browser out of every session that it presents; returns the `Set-Cookie` header. */
export const closeBrowserSession = async (ctx: Publishing, visit: Visit) => {
  const presented = cookie.presentedIn(visit)
  if (presented.length > 0) {
    const hashes = presented.map(({ hash }) => hash)
    await end(ctx, (q) => store.deleteByCookies(q, hashes))
  }
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
  const found = await firstSession(cookie.presentedIn(visit), {
    existing: (hashes) => store.existingCookies(ctx.db.sql, hashes),
    open: (presented) => openPresented(ctx, presented),
  })
  return found ?? null
}

const openPresented = async (ctx: Publishing, { token, hash }: PresentedSession) => {
  const session = await useByCookie(ctx, hash)
  if (!session) return undefined
  const account = await accounts(ctx).get(String(session.userId))
  if (!account || account.epoch !== session.epoch) return undefined
  const { id: userId, handle, username, avatar_url, isAdmin, isSuspended } = account
  const formToken = formTokenOf(token)
  const principal = { userId, handle, username, avatar_url, isAdmin, formToken, sessionId: session.id }
  return { principal, isSuspended }
}
