import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, forbidden, unauthorized } from '#platform/errors.ts'
import { limited } from '#platform/http/limited.ts'
import type { Limit } from '#platform/limits.ts'
import type { Inventory, Principal, Role } from './context.ts'

/** Which roles a word lets in. `public` needs no credentials at all. */
const allowed = {
  staff: ['Admin', 'Manager', 'Staff'],
  manager: ['Admin', 'Manager'],
  admin: ['Admin'],
} satisfies Record<string, Role[]>

export type Access = 'public' | keyof typeof allowed

const limits = {
  signIn: { name: 'inventory.sign-in', max: 10, windowSeconds: 60 },
  api: { name: 'inventory.api', max: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal

const identify = async (ctx: Inventory, req: FastifyRequest) => {
  const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  const claims = token === undefined ? null : await ctx.tokens.verify(token)
  const person = claims && (await ctx.people.get(claims.sub))
  return person && person.epoch === claims.epoch ? person : unauthorized('Missing, invalid or expired token')
}

/** 401, then 403 for the banned, then 402, then 403 for the role: the first that applies is the answer. */
export const guard = (ctx: Inventory) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as { access: Access; limit?: keyof typeof limits }
  if (limit) await limited(ctx.limiter, limits[limit], req.ip, reply)
  if (access === 'public') return
  const person = await identify(ctx, req)
  await limited(ctx.limiter, limits.api, `user:${person.id}`, reply)
  if (person.isBanned) forbidden('This account is banned')
  if (Date.parse(person.subscriptionExpiresAt) <= ctx.clock.now().getTime())
    throw new AppError(402, 'Subscription expired')
  if (!allowed[access].some((role) => role === person.role)) forbidden('Your role does not allow this')
  req.principal = { userId: person.id, tenantId: person.tenantId, role: person.role } satisfies Principal
}
