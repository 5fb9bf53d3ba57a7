import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountByToken } from '#platform/auth/bearer.ts'
import { AppError, forbidden, unauthorized } from '#platform/errors.ts'
import { countAgainst, countByAddress } from '#platform/http/request/count-against.ts'
import { isForKeys, keyRights, limits, type RouteAccess, refusalOf, roleAllows } from './access.ts'
import { sessions } from './accounts/sessions.ts'
import type { Inventory, Principal } from './context.ts'
import { findKnownKey } from './keys/keys.ts'
import { usageLog } from './keys/usage.ts'
import { people } from './users/users.ts'

/** Credentials of a person are a bearer token, or the session of a console. */
const identify = async (ctx: Inventory, req: FastifyRequest) => {
  const { authorization } = req.headers
  const find = (id: string) => people(ctx).get(id)
  if (authorization !== undefined) return { account: await accountByToken(ctx.tokens, authorization, find) }
  const found = await sessions.account(ctx, req, find)
  return found ?? unauthorized('A token is missing: send it as Authorization: Bearer')
}

const requireSubscription = (
  ctx: Inventory,
  { subscriptionExpiresAt }: { subscriptionExpiresAt: string },
) => {
  if (Date.parse(subscriptionExpiresAt) <= ctx.clock.now().getTime())
    throw new AppError(402, 'Subscription expired', { code: 'subscription_expired' })
}

/** Counts a request against whoever makes it. */
type Count = (holder: string) => void | Promise<void>

const admitKey = async (
  ctx: Inventory,
  req: FastifyRequest,
  access: keyof typeof keyRights,
  count: Count,
): Promise<Principal> => {
  const presented = req.headers['x-api-key'] ?? unauthorized('An API key is missing: send it as X-API-Key')
  const key = (await findKnownKey(ctx, presented)) ?? unauthorized('This API key is unknown')
  if (key.isRevoked) unauthorized('This API key was revoked')
  if (key.expiresAt && Date.parse(key.expiresAt) <= ctx.clock.now().getTime())
    unauthorized('This API key has expired')
  const creator = await people(ctx).get(String(key.createdBy))
  if (!creator || creator.isBanned) return unauthorized('The creator of this API key is banned or removed')
  await count(`key:${key.id}`)
  requireSubscription(ctx, key)
  const { permission, creator: needed } = keyRights[access]
  if (permission === 'write' && !key.canWrite) forbidden('This key may only read')
  const { role } = creator
  if (!roleAllows(role, needed))
    forbidden(`${refusalOf(needed)}, and the creator of this API key is ${role} now`)
  const { id: keyId, tenantId } = key
  return { userId: null, keyId, tenantId, role, ip: req.ip }
}

/** 401, then 403 for the banned, then 402, then 403 for the role: the first that applies is the response. */
export const admit = async (
  ctx: Inventory,
  req: FastifyRequest,
  count: Count = () => {},
): Promise<Principal> => {
  const { access } = req.routeOptions.config as { access: Exclude<RouteAccess['access'], 'public'> }
  if (isForKeys(access)) return admitKey(ctx, req, access, count)
  const { account: person, ...session } = await identify(ctx, req)
  await count(`user:${person.id}`)
  if (person.isBanned) forbidden('This account is banned')
  requireSubscription(ctx, person)
  if (!roleAllows(person.role, access)) forbidden(refusalOf(access))
  return { userId: person.id, tenantId: person.tenantId, role: person.role, ip: req.ip, ...session }
}

export const guard = (ctx: Inventory) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as RouteAccess
  if (limit) await countByAddress(ctx.limiter, limits[limit], req, reply)
  if (access === 'public') return
  req.principal = await admit(ctx, req, (holder) => countAgainst(ctx.limiter, limits.api, holder, reply))
}

/** Every request with a known key is in its usage log, also one that was refused. */
export const logUse = (ctx: Inventory) => (req: FastifyRequest, _: FastifyReply, status: number) => {
  const presented = req.headers['x-api-key']
  if (presented === undefined) return
  const { method, ip: ip_address } = req
  const used = {
    method,
    path: req.url.replace(/\?.*$/s, '').slice(0, 1000),
    status_code: status,
    response_time_ms: Math.round(performance.now() - req.exchange.begun),
    ip_address,
    created_at: ctx.clock.now().toISOString(),
  }
  const found = findKnownKey(ctx, presented).catch(() => undefined)
  usageLog(ctx).add(found.then((key) => key && { tenant_id: key.tenantId, api_key_id: key.id, ...used }))
}
