import { createHash } from 'node:crypto'
import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Principal, Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import type { Person } from '../profiles/store.ts'
import * as store from './browser-store.ts'

const lifetimeSeconds = 30 * 86_400
const cookieName = 'trivet_publishing'

const cookie = (ctx: Publishing, value: string, maxAge: number) =>
  `${cookieName}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${
    ctx.config.urls.publishing.startsWith('https:') ? '; Secure' : ''
  }`

const tokenIn = (cookies: string | undefined) =>
  /(?:^|;\s*)trivet_publishing=([\w-]{20,100})(?:;|$)/.exec(cookies ?? '')?.[1]

// The cookie is known to nobody but the browser, so what follows from it is known to our own pages alone.
const formTokenOf = (token: string) => createHash('sha256').update(`form:${token}`).digest('base64url')

/** Signs a browser in; answers the cookie that it must keep. */
export const openBrowserSession = async (ctx: Publishing, { id, epoch }: Pick<Person, 'id' | 'epoch'>) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeSeconds * 1000)
  await ctx.db.write(async (q) => void (await store.insertSession(q, hash, id, epoch, expiresAt)))
  return cookie(ctx, token, lifetimeSeconds)
}

export const closeBrowserSession = async (ctx: Publishing, cookies: string | undefined) => {
  const token = tokenIn(cookies)
  if (token)
    await ctx.db.transaction(async (tx) => {
      const hash = hashOneTimeToken(token)
      await store.deleteSession(tx, hash)
      await forget(ctx, tx, { session: [hash.toString('base64')] })
    })
  return cookie(ctx, '', 0)
}

export type SignedIn = { person: Person; principal: Principal & { formToken: string } }

/** Whose browser this is; nobody's when the sign-in has ended. */
export const recogniseBrowser = async (
  ctx: Publishing,
  cookies: string | undefined,
): Promise<SignedIn | null> => {
  const token = tokenIn(cookies)
  if (!token) return null
  const session = await ctx.memory.sessions.get(hashOneTimeToken(token).toString('base64'))
  if (!session || Date.parse(session.expiresAt) <= ctx.clock.now().getTime()) return null
  const person = await ctx.memory.people.get(String(session.userId))
  if (!person || person.epoch !== session.epoch) return null
  const { id: userId, handle, isAdmin } = person
  return { person, principal: { userId, handle, isAdmin, formToken: formTokenOf(token) } }
}
