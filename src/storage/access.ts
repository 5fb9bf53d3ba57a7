import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyName } from '#platform/auth/api-keys.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import { limited, limitedByAddress } from '#platform/http/limited.ts'
import type { Limit } from '#platform/limits.ts'
import type { KnownKey, Person, Principal, Role, Storage } from './context.ts'

const everyone: Role[] = ['owner', 'admin', 'member']
const managers: Role[] = ['owner', 'admin']
const ownerAlone: Role[] = ['owner']

/** Which roles may do what by default. `public` needs no credentials at all. */
const allowed = {
  'account.read': everyone,
  'api_key.manage': everyone,
  'settings.manage': everyone,
  'usage.read': everyone,
  'bucket.list': everyone,
  'bucket.read': everyone,
  'object.list': everyone,
  'object.read': everyone,
  'object.write': everyone,
  'object.delete': everyone,
  'object.recover': everyone,
  'object.sign': everyone,
  'bucket.create': managers,
  'bucket.update': managers,
  'bucket.delete': managers,
  'policy.read': managers,
  'policy.write': managers,
  'object.purge': managers,
  'audit.read': managers,
  'billing.read': managers,
  'billing.purchase': ownerAlone,
  'member.manage': ownerAlone,
  /** Each bucket's policy, and behind it the role, decides what. */
  'bucket.use': everyone,
} satisfies Record<string, Role[]>

export type Action = keyof typeof allowed
type Access = 'public' | Action

export const roleAllows = (role: Role, action: Action) => allowed[action].includes(role)

export const limits = {
  signIn: { name: 'storage.sign-in', max: 10, windowSeconds: 60, strict: true },
  api: { name: 'storage.api', max: 1200, windowSeconds: 60 },
  webhook: { name: 'storage.webhook', max: 600, windowSeconds: 60 },
  publicDownload: { name: 'storage.public-download', max: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal

type Identity = Omit<Principal, 'ip'>

const fromKey = async (ctx: Storage, key: string): Promise<Identity | undefined> => {
  const known = await ctx.keys.get(apiKeyName(key))
  const person = known && (await ctx.people.get(known.userId))
  if (!person) return undefined
  ctx.keyUses.note(known.id)
  return keyOf(person, known)
}

const keyOf = ({ id: userId, orgId, role }: Person, { id: keyId, ancestorIds }: KnownKey) => ({
  userId,
  orgId,
  role,
  keyId,
  ancestorIds,
})

/** Whoever sends this key, if everything about it is in memory. */
export const recallByKey = (ctx: Storage, headers: IncomingHttpHeaders) => {
  const key = presentedKey(headers)
  const known = key && ctx.keys.peek(apiKeyName(key))
  const person = known && ctx.people.peek(known.userId)
  return person && keyOf(person, known)
}

const fromToken = async (ctx: Storage, token: string): Promise<Identity | undefined> => {
  const claims = await ctx.tokens.verify(token)
  const person = claims && (await ctx.people.get(claims.sub))
  if (!person || person.epoch !== claims.epoch) return undefined
  return { userId: person.id, orgId: person.orgId, role: person.role, keyId: null, ancestorIds: [] }
}

/** A key whole, or as the pair `accessKey` + `secretKey`. */
const presentedKey = ({ 'x-api-key': key, 'x-api-secret': secret }: IncomingHttpHeaders) =>
  typeof key === 'string' && typeof secret === 'string' ? `${key}.${secret}` : (key as string | undefined)

/** One credential, three presentations: a key in one or two parts, or a bearer token. */
const identify = (ctx: Storage, { headers }: FastifyRequest) => {
  const key = presentedKey(headers)
  if (key !== undefined) return fromKey(ctx, key)
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : fromToken(ctx, token)
}

export const guard = (ctx: Storage) => async (req: FastifyRequest, reply: FastifyReply) => {
  const { access, limit } = req.routeOptions.config as { access: Access; limit?: keyof typeof limits }
  if (limit) await limitedByAddress(ctx.limiter, limits[limit], req, reply)
  if (access === 'public') return
  const principal = (await identify(ctx, req)) ?? unauthorized()
  await limited(ctx.limiter, limits.api, principal.keyId ?? principal.userId, reply)
  if (!roleAllows(principal.role, access)) forbidden()
  req.principal = { ...principal, ip: req.ip, grants: [] } satisfies Principal
}
