import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyName } from '#platform/auth/api-keys.ts'
import { accountByToken } from '#platform/auth/bearer.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { countAgainst, countByAddress } from '#platform/http/request/count-against.ts'
import {
  forPeopleAlone,
  limits,
  type Permission,
  type RouteAccess,
  roleAllows,
  roleRefusal,
} from './access.ts'
import { sessions } from './accounts/sessions.ts'
import { tokens } from './accounts/tokens.ts'
import { type KnownUser, userCache } from './accounts/users.ts'
import type { Principal, Storage } from './context.ts'
import { keyCache } from './keys/keys.ts'
import { keyUses } from './keys/last-use.ts'

type Identity = Omit<Principal, 'ip'>

const fromKey = async (ctx: Storage, key: string): Promise<Identity> => {
  const known = await keyCache(ctx).get(apiKeyName(key))
  const user = known && (await userCache(ctx).get(known.userId))
  if (!user) return unauthorized('This API key is unknown or revoked')
  keyUses(ctx).note(known.id)
  const { id: userId, orgId, role } = user
  return { userId, orgId, role, keyId: known.id, ancestorIds: known.ancestorIds }
}

const fromToken = async (ctx: Storage, authorization: string): Promise<Identity> => {
  const user = await accountByToken(tokens(ctx), authorization, (id) => userCache(ctx).get(id))
  return personOf(user)
}

const personOf = ({ id: userId, orgId, role }: KnownUser) => ({
  userId,
  orgId,
  role,
  keyId: null,
  ancestorIds: [],
})

/** The key in these headers, whole or as `accessKey` and `secretKey`. */
const presentedKey = ({ 'x-api-key': key, 'x-api-secret': secret }: IncomingHttpHeaders) =>
  typeof key === 'string' && typeof secret === 'string' ? `${key}.${secret}` : (key as string | undefined)

const fromSession = async (ctx: Storage, req: FastifyRequest): Promise<Identity | undefined> => {
  const found = await sessions.account(ctx, req, (id) => userCache(ctx).get(id))
  return found && { ...personOf(found.account), session: found.session }
}

/** Credentials are a key in one or two parts, a bearer token, or the session of a console. */
const identify = async (ctx: Storage, req: FastifyRequest): Promise<Identity> => {
  const { headers } = req
  const key = presentedKey(headers)
  if (key !== undefined) return fromKey(ctx, key)
  if (headers.authorization !== undefined) return fromToken(ctx, headers.authorization)
  const person = await fromSession(ctx, req)
  if (person) return person
  return unauthorized(
    'Credentials are missing: send an API key as X-API-Key, or a token as Authorization: Bearer',
  )
}

/** Whose requests are counted together. */
const holderOf = ({ keyId, userId }: Pick<Principal, 'keyId' | 'userId'>) => keyId ?? userId

/** Counts a request against whoever makes it. */
type Count = (holder: string) => void | Promise<void>

/** Whoever makes the request, if their role allows it. */
export const admit = async (
  ctx: Storage,
  req: FastifyRequest,
  count: Count = () => {},
): Promise<Principal> => {
  const { access } = req.routeOptions.config as { access: Permission }
  const principal = await identify(ctx, req)
  await count(holderOf(principal))
  if (!roleAllows(principal.role, access)) forbidden(roleRefusal(access))
  if (principal.keyId !== null && forPeopleAlone(access))
    forbidden('An API key cannot see or change how its owner signs in: sign in first')
  // Only a response that may be repeated asks later what was granted.
  const isRepeatable = req.headers['idempotency-key'] !== undefined
  return { ...principal, ip: req.ip, ...(isRepeatable ? { grants: [] } : {}) }
}

export const guard = (ctx: Storage) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as RouteAccess
  if (limit) await countByAddress(ctx.limiter, limits[limit], req, reply)
  if (access === 'public') return
  req.principal = await admit(ctx, req, (holder) => countAgainst(ctx.limiter, limits.api, holder, reply))
}

/** Counts what one request does as so many requests: it was counted as one when it was admitted. */
export const countAs = async (ctx: Storage, me: Principal, requests: number, reply: FastifyReply) => {
  if (requests > 1) await countAgainst(ctx.limiter, limits.api, holderOf(me), reply, requests - 1)
}
