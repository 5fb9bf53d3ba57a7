import type { FastifyRequest } from 'fastify'
import type { ServiceModule } from '#platform/http/service.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Inventory, Principal, Role } from './context.ts'

/** Which roles an access word admits. */
export const allowedRoles = {
  staff: ['Admin', 'Manager', 'Staff'],
  manager: ['Admin', 'Manager'],
  admin: ['Admin'],
} satisfies Record<string, Role[]>

export const roleAllows = (role: Role, access: keyof typeof allowedRoles) =>
  allowedRoles[access].some((one) => one === role)

/** For people whose role an access word does not admit. */
export const refusalOf = (access: keyof typeof allowedRoles) =>
  `Only ${allowedRoles[access].map((role) => `${role}s`).join(' and ')} can do this`

/**
 * What an API key must be permitted to do, and what its creator must be allowed to do now; these words admit API keys
 * only. `key:stock` is for what changes stock, as people do with `manager`.
 */
export const keyRights = {
  'key:read': { permission: 'read', creator: 'staff' },
  'key:write': { permission: 'write', creator: 'staff' },
  'key:stock': { permission: 'write', creator: 'manager' },
} as const
export const isForKeys = (access: string): access is keyof typeof keyRights =>
  Object.hasOwn(keyRights, access)

/** `public` needs no credentials at all. */
type Access = 'public' | keyof typeof allowedRoles | keyof typeof keyRights

export const limits = {
  signIn: { name: 'inventory.sign-in', max: 10, windowSeconds: 60, strict: true },
  api: { name: 'inventory.api', max: 600, windowSeconds: 60 },
  prints: { name: 'inventory.prints', max: 60, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** The words that routes may use; see `Service.words`. */
export const words = {
  access: ['public', ...Object.keys(allowedRoles), ...Object.keys(keyRights)],
  limits: Object.keys(limits),
}
export type RouteAccess = { access: Access; limit?: keyof typeof limits }
export type Module = ServiceModule<Inventory, Access, keyof typeof limits>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal
