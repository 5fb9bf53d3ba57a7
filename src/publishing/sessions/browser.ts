import { createHash } from 'node:crypto'
import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Sql } from '#platform/db/database.ts'
import type { Principal, Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import type { Person } from '../profiles/store.ts'
import * as store from './browser-store.ts'

const lifetimeSeconds = 30 * 86_400

/** How a browser came: the cookies it sent, and whether over https. */
export type Visit = { cookies: string | undefined; isSecure: boolean }

const plainName = 'trivet_publishing'
// Browsers take a cookie of this name only from this very host over https, and for all its paths: no other host of
// the domain, and nobody on the wire, can plant a session of theirs.
const secureName = `__Host-${plainName}`

const cookie = ({ isSecure }: Visit, value: string, maxAge: number) =>
  `${isSecure ? secureName : plainName}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${
    isSecure ? '; Secure' : ''
  }`

const tokenIn = ({ cookies, isSecure }: Visit) => {
  const name = `${isSecure ? secureName : plainName}=`
  const sent = (cookies ?? '').split(';').map((each) => each.trim())
  const [value] = sent.filter((each) => each.startsWith(name)).map((each) => each.slice(name.length))
  return value !== undefined && /^[\w-]{20,100}$/.test(value) ? value : undefined
}

// The cookie is known to nobody but the browser, so what follows from it is known to our own pages alone.
const formTokenOf = (token: string) => createHash('sha256').update(`form:${token}`).digest('base64url')

/** Signs a browser in; answers the cookie that it must keep. */
export const openBrowserSession = async (
  ctx: Publishing,
  q: Sql,
  visit: Visit,
  { id, epoch }: Pick<Person, 'id' | 'epoch'>,
) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeSeconds * 1000)
  await store.insertSession(q, hash, id, epoch, expiresAt)
  return cookie(visit, token, lifetimeSeconds)
}

export const closeBrowserSession = async (ctx: Publishing, visit: Visit) => {
  const token = tokenIn(visit)
  if (token)
    await ctx.db.transaction(async (tx) => {
      const hash = hashOneTimeToken(token)
      await store.deleteSession(tx, hash)
      await forget(ctx, tx, { session: [hash.toString('base64')] })
    })
  return cookie(visit, '', 0)
}

export type SignedIn = { person: Person; principal: Principal & { formToken: string } }

/** Whose browser this is; nobody's when the sign-in has ended. */
export const recogniseBrowser = async (ctx: Publishing, visit: Visit): Promise<SignedIn | null> => {
  const token = tokenIn(visit)
  if (!token) return null
  const session = await ctx.memory.sessions.get(hashOneTimeToken(token).toString('base64'))
  if (!session || Date.parse(session.expiresAt) <= ctx.clock.now().getTime()) return null
  const person = await ctx.memory.people.get(String(session.userId))
  if (!person || person.epoch !== session.epoch) return null
  const { id: userId, handle, isAdmin } = person
  return { person, principal: { userId, handle, isAdmin, formToken: formTokenOf(token) } }
}
