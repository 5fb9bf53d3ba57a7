const everyone = ['owner', 'admin', 'member'] as const
const managers = ['owner', 'admin'] as const
const ownerAlone = ['owner'] as const

/** Which roles may do what, as the service decides it; here only so that nothing is offered that would be refused. */
const roles = {
  'account.read': everyone,
  'api_key.manage': everyone,
  'settings.manage': everyone,
  'organization.update': ownerAlone,
  'usage.read': everyone,
  'bucket.list': everyone,
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
  'webhook.manage': managers,
  'billing.read': managers,
  'billing.purchase': ownerAlone,
  'member.list': ownerAlone,
  'member.add': ownerAlone,
  'member.update': ownerAlone,
  'member.remove': ownerAlone,
} satisfies Record<string, readonly string[]>

export type Permission = keyof typeof roles

export const rolesWith = (permission: string): readonly string[] => roles[permission as Permission] ?? []
