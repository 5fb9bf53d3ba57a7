import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountByToken } from '#platform/auth/bearer.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { countByAddress } from '#platform/http/request/count-against.ts'
import { type Access, limits, limitWrites, type RouteAccess, who } from './access.ts'
import type { Principal, Publishing } from './context.ts'
import { findByKey } from './keys/keys.ts'
import { accounts } from './profiles/cache.ts'
import { findBrowserSession, refuseSuspended } from './sessions/browser.ts'
import { requireOwnOrigin, visitOf } from './sessions/cookie.ts'
import { useById } from './sessions/sessions.ts'

const byToken = async (ctx: Publishing, authorization: string): Promise<Principal> => {
  let sessionId = 0
  const account = await accountByToken(ctx.tokens, authorization, async (id, claims) => {
    sessionId = claims.session
    return (await useById(ctx, sessionId)) && accounts(ctx).get(id)
  })
  if (account.isSuspended) forbidden('Account suspended')
  return { userId: account.id, handle: account.handle, isAdmin: account.isAdmin, sessionId }
}

const byKey = async (ctx: Publishing, text: string): Promise<Principal> => {
  const key = await findByKey(ctx, text)
  const account = key && (await accounts(ctx).get(String(key.userId)))
  if (!account) return unauthorized('Invalid API key')
  if (account.isSuspended) forbidden('Account suspended')
  const { id: keyId, dailyLimit } = key
  return { userId: account.id, handle: account.handle, isAdmin: account.isAdmin, keyId, dailyLimit }
}

const byCookie = async (ctx: Publishing, req: FastifyRequest, access: Access) => {
  if (!isRead(req)) requireOwnOrigin(req, ctx.config.urls.publishing)
  const found = await findBrowserSession(ctx, visitOf(ctx.config, req))
  if (access === 'member' && !found) unauthorized('Please sign in')
  if (access === 'member' && found?.isSuspended) refuseSuspended()
  req.principal = found && !found.isSuspended ? found.principal : null
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const isPage = (access: Access) => access === 'page' || access === 'member'

const accessOf = (req: FastifyRequest) => req.routeOptions.config as RouteAccess
const takesKeys = (access: Access) => access === 'poster' || access === 'listener'

/** Whether a request is for what everybody may read, whatever credentials it has. */
export const asksForAll = (req: FastifyRequest) =>
  accessOf(req).access === 'listener' && (req.query as { scope?: unknown }).scope === 'public'

/** Who calls a route of the API that needs credentials. Counts against no limit. */
export const identify = (ctx: Publishing, req: FastifyRequest): Promise<Principal> => {
  const { authorization, 'x-api-key': key } = req.headers
  if (takesKeys(accessOf(req).access) && key !== undefined) return byKey(ctx, String(key))
  return byToken(ctx, authorization ?? unauthorized('Authentication required'))
}

const authenticate = async (ctx: Publishing, req: FastifyRequest, access: Access) => {
  if (isPage(access)) return byCookie(ctx, req, access)
  if (access === 'reader' && req.headers.authorization === undefined) return
  req.principal = await identify(ctx, req)
  if (access === 'admin' && !who(req).isAdmin) forbidden('Only for admins')
}

const enter = async (
  ctx: Publishing,
  req: FastifyRequest,
  reply: FastifyReply,
  { access, limit }: RouteAccess,
) => {
  if (access === 'open') return
  const isForAll = asksForAll(req)
  if (isRead(req) && (access === 'reader' || access === 'public' || isForAll || isPage(access)))
    await countByAddress(ctx.limiter, limits.reads, req, reply)
  if (limit && limit !== 'burst') await countByAddress(ctx.limiter, limits[limit], req, reply)
  if (access === 'public' || isForAll) return
  await authenticate(ctx, req, access)
  if (!isRead(req) && limit !== 'burst' && req.principal) await limitWrites(ctx, who(req), reply)
}

export const guard = (ctx: Publishing) => (req: FastifyRequest, reply: FastifyReply) => {
  const route = accessOf(req)
  // Most requests are reads without credentials. They are only counted, without an async function in between.
  const isPlain = route.access === 'reader' && route.limit === undefined && isRead(req)
  return isPlain && req.headers.authorization === undefined
    ? countByAddress(ctx.limiter, limits.reads, req, reply)
    : enter(ctx, req, reply, route)
}
