import type { FastifyRequest } from 'fastify'
import type { ServiceApp, ServiceModule } from '#platform/http/service.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Principal, Role, Storage } from './context.ts'

const everyone: Role[] = ['owner', 'admin', 'member']
const managers: Role[] = ['owner', 'admin']
const ownerAlone: Role[] = ['owner']

/** Which roles may do what by default. Routes with access `public` need no credentials. */
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
  /** The bucket's policy decides, and where it says nothing, the role. */
  'bucket.use': everyone,
} satisfies Record<string, Role[]>

export type Permission = keyof typeof allowed
type Access = 'public' | Permission

export const roleAllows = (role: Role, permission: Permission) => allowed[permission].includes(role)

export const limits = {
  signIn: { name: 'storage.sign-in', max: 10, windowSeconds: 60, strict: true },
  api: { name: 'storage.api', max: 1200, windowSeconds: 60 },
  webhook: { name: 'storage.webhook', max: 600, windowSeconds: 60 },
  publicDownload: { name: 'storage.public-download', max: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** The words that routes may use; see `Service.words`. */
export const words = { access: ['public', ...Object.keys(allowed)], limits: Object.keys(limits) }
export type RouteAccess = { access: Access; limit?: keyof typeof limits }
export type Module = ServiceModule<Storage, Access, keyof typeof limits>
export type App = ServiceApp<Access, keyof typeof limits>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal
