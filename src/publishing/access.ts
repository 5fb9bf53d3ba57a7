import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { limited } from '#platform/http/limited.ts'
import type { Limit } from '#platform/limits.ts'
import type { Principal, Publishing } from './context.ts'

/** `public`: no credentials needed. `reader`: the same, but a token shows more. `user`: a bearer token is needed. */
export type Access = 'public' | 'reader' | 'user'

const limits = {
  signIn: { name: 'publishing.sign-in', max: 10, windowSeconds: 60 },
  reads: { name: 'publishing.reads', max: 500, windowSeconds: 900 },
} satisfies Record<string, Limit>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal

const identify = async (ctx: Publishing, authorization: string): Promise<Principal> => {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  const claims = token === undefined ? null : await ctx.tokens.verify(token)
  const person = claims && (await ctx.people.get(claims.sub))
  if (!person || person.epoch !== claims.epoch) return unauthorized('Invalid or expired token')
  if (person.isSuspended) forbidden('Account suspended')
  return { userId: person.id, handle: person.handle, isAdmin: person.isAdmin }
}

export const guard = (ctx: Publishing) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as { access: Access; limit?: keyof typeof limits }
  if (limit) await limited(ctx.limiter, limits[limit], req.ip, reply)
  const { authorization } = req.headers
  if (authorization !== undefined && access !== 'public') req.principal = await identify(ctx, authorization)
  else if (access === 'user') unauthorized('Authentication required')
}
