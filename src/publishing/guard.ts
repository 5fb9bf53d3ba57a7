import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { limited, limitedByAddress } from '#platform/http/limited.ts'
import { type Access, limits, type RouteAccess, who } from './access.ts'
import type { Principal, Publishing } from './context.ts'
import { recogniseKey } from './keys/keys.ts'
import { requireOwnOrigin, visitOf } from './pages/forms.ts'
import { recogniseBrowser } from './sessions/browser.ts'

const byToken = async (ctx: Publishing, authorization: string): Promise<Principal> => {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  const claims = token === undefined ? null : await ctx.tokens.verify(token)
  const person = claims && (await ctx.memory.people.get(claims.sub))
  if (!person || person.epoch !== claims.epoch) return unauthorized('Invalid or expired token')
  if (person.isSuspended) forbidden('Account suspended')
  return { userId: person.id, handle: person.handle, isAdmin: person.isAdmin }
}

const byKey = async (ctx: Publishing, text: string): Promise<Principal> => {
  const key = await recogniseKey(ctx, text)
  const person = key && (await ctx.memory.people.get(String(key.userId)))
  if (!person) return unauthorized('Invalid API key')
  if (person.isSuspended) forbidden('Account suspended')
  const { id: keyId, dailyLimit } = key
  return { userId: person.id, handle: person.handle, isAdmin: person.isAdmin, keyId, dailyLimit }
}

const byCookie = async (ctx: Publishing, req: FastifyRequest, access: Access) => {
  if (!isRead(req)) requireOwnOrigin(req, ctx.config.urls.publishing)
  const found = await recogniseBrowser(ctx, visitOf(ctx, req))
  if (access === 'member' && !found) unauthorized('Please sign in')
  if (access === 'member' && found?.person.isSuspended) forbidden('Account suspended')
  req.principal = found && !found.person.isSuspended ? found.principal : null
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Counts a change against the account that makes it. */
export const limitWrites = (ctx: Publishing, { userId }: Principal, reply: FastifyReply) =>
  limited(ctx.limiter, limits.writes, String(userId), reply)

const isPage = (access: Access) => access === 'page' || access === 'member'

const recognise = async (ctx: Publishing, req: FastifyRequest, access: Access) => {
  if (isPage(access)) return byCookie(ctx, req, access)
  const { authorization, 'x-api-key': key } = req.headers
  if (access === 'poster' && key !== undefined) req.principal = await byKey(ctx, String(key))
  else if (authorization !== undefined) req.principal = await byToken(ctx, authorization)
  else if (access !== 'reader') unauthorized('Authentication required')
  if (access === 'admin' && !who(req).isAdmin) forbidden('Only for admins')
}

const enter = async (
  ctx: Publishing,
  req: FastifyRequest,
  reply: FastifyReply,
  { access, limit }: RouteAccess,
) => {
  if (access === 'open') return
  if (isRead(req) && (access === 'reader' || access === 'public' || isPage(access)))
    await limitedByAddress(ctx.limiter, limits.reads, req, reply)
  if (limit && limit !== 'burst') await limitedByAddress(ctx.limiter, limits[limit], req, reply)
  if (access === 'public') return
  await recognise(ctx, req, access)
  if (!isRead(req) && limit !== 'burst' && req.principal) await limitWrites(ctx, who(req), reply)
}

export const guard = (ctx: Publishing) => (req: FastifyRequest, reply: FastifyReply) => {
  const asked = req.routeOptions.config as RouteAccess
  // Most requests are reads without credentials: they are counted at once, and wait for nothing.
  const isPlain = asked.access === 'reader' && asked.limit === undefined && isRead(req)
  return isPlain && req.headers.authorization === undefined
    ? limitedByAddress(ctx.limiter, limits.reads, req, reply)
    : enter(ctx, req, reply, asked)
}
