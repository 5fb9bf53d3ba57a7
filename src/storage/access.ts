import type { FastifyRequest } from 'fastify'
import type { ServiceApp } from '#platform/http/app.ts'
import type { ServiceModule } from '#platform/http/service.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Principal, Role, Storage } from './context.ts'

const everyone: Role[] = ['owner', 'admin', 'member']
const managers: Role[] = ['owner', 'admin']
const ownerAlone: Role[] = ['owner']

/** Which roles may do what by default, and how a refusal calls it. Routes with access `public` need no credentials. */
const permissions = {
  'account.read': [everyone, 'see the account'],
  'api_key.manage': [everyone, 'manage API keys'],
  'settings.manage': [everyone, 'change settings'],
  'sign_in.manage': [everyone, 'change how they sign in'],
  'organization.update': [ownerAlone, 'change the organization'],
  'usage.read': [everyone, 'see the usage'],
  'bucket.list': [everyone, 'list buckets'],
  'bucket.read': [everyone, 'see buckets'],
  'object.list': [everyone, 'list objects'],
  'object.read': [everyone, 'read objects'],
  'object.write': [everyone, 'write objects'],
  'object.delete': [everyone, 'delete objects'],
  'object.recover': [everyone, 'recover objects'],
  'object.sign': [everyone, 'sign URLs'],
  'bucket.create': [managers, 'create buckets'],
  'bucket.update': [managers, 'change buckets'],
  'bucket.delete': [managers, 'delete buckets'],
  'policy.read': [managers, 'read policies'],
  'policy.write': [managers, 'change policies'],
  'object.purge': [managers, 'delete objects permanently'],
  'audit.read': [managers, 'read the audit log'],
  'event.read': [everyone, 'read events'],
  'webhook.manage': [managers, 'manage webhooks'],
  'billing.read': [managers, 'see plan and payments'],
  'billing.purchase': [ownerAlone, 'change the plan'],
  'member.list': [ownerAlone, 'list members'],
  'member.add': [ownerAlone, 'add members'],
  'member.update': [ownerAlone, 'change the roles of members'],
  'member.remove': [ownerAlone, 'remove members'],
  /** The bucket's policy decides, and where it says nothing, the role. */
  'bucket.use': [everyone, 'use buckets'],
} satisfies Record<string, [roles: Role[], words: string]>

export type Permission = keyof typeof permissions
type Access = 'public' | Permission

/**
 * What only the person may do, never a key of theirs: whoever finds a key could lock its owner out, or keep the account
 * after the key was revoked.
 */
export const forPeopleAlone = (access: string) => access === 'sign_in.manage'

export const roleAllows = (role: Role, permission: Permission) => permissions[permission][0].includes(role)

/** For people whose role does not allow something. */
export const roleRefusal = (permission: Permission) => {
  const [roles, words] = permissions[permission]
  return `Only ${roles.map((role) => `an ${role}`).join(' or ')} can ${words}`
}

export const limits = {
  signIn: { name: 'storage.sign-in', max: 10, windowSeconds: 60, strict: true },
  api: { name: 'storage.api', max: 1200, windowSeconds: 60 },
  // By the second: clients of S3 send thousands of requests in a row, and wait a second or two when they are refused.
  s3: { name: 'storage.s3', max: 1000, windowSeconds: 1 },
  webhook: { name: 'storage.webhook', max: 600, windowSeconds: 60 },
  publicDownload: { name: 'storage.public-download', max: 600, windowSeconds: 60 },
} satisfies Record<string, Limit>

/** The words that routes may use; see `Service.words`. */
export const words = { access: ['public', ...Object.keys(permissions)], limits: Object.keys(limits) }
export type RouteAccess = { access: Access; limit?: keyof typeof limits }
export type Module = ServiceModule<Storage, Access, keyof typeof limits>
export type App = ServiceApp<Access, keyof typeof limits>

/** The typed view of what the guard found out. */
export const who = (req: FastifyRequest) => req.principal as Principal
