import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { limited } from '#platform/http/limited.ts'
import type { Limit } from '#platform/limits.ts'
import type { Principal, Publishing, Viewer } from './context.ts'
import { recogniseKey } from './keys/keys.ts'

/**
 * `public`: no credentials are looked at. `reader`: none are needed, but a token shows more. `user`: a bearer
 * token is needed. `poster`: a token or an API key. `admin`: the token of an admin.
 */
export type Access = 'public' | 'reader' | 'user' | 'poster' | 'admin'

const limits = {
  signIn: { name: 'publishing.sign-in', max: 10, windowSeconds: 60 },
  reads: { name: 'publishing.reads', max: 500, windowSeconds: 900 },
  search: { name: 'publishing.search', max: 100, windowSeconds: 900 },
} satisfies Record<string, Limit>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal
export const viewer = (req: FastifyRequest) => req.principal as Viewer

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

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

export const guard = (ctx: Publishing) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as { access: Access; limit?: keyof typeof limits }
  if (isRead(req) && (access === 'reader' || access === 'public'))
    await limited(ctx.limiter, limits.reads, req.ip, reply)
  if (limit) await limited(ctx.limiter, limits[limit], req.ip, reply)
  if (access === 'public') return
  const { authorization, 'x-api-key': key } = req.headers
  if (access === 'poster' && key !== undefined) req.principal = await byKey(ctx, String(key))
  else if (authorization !== undefined) req.principal = await byToken(ctx, authorization)
  else if (access !== 'reader') unauthorized('Authentication required')
  if (access === 'admin' && !who(req).isAdmin) forbidden('Only for admins')
}
