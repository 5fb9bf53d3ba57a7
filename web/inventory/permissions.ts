const everyone = ['Admin', 'Manager', 'Staff'] as const
const managers = ['Admin', 'Manager'] as const
const adminsAlone = ['Admin'] as const

/** Which roles may do what, as the service decides it; here only so that nothing is offered that would be refused. */
const roles = {
  'order.write': everyone,
  'customer.write': everyone,
  'order.ship': managers,
  'order.return': managers,
  'product.write': managers,
  'category.write': managers,
  'stock.write': managers,
  'count.post': managers,
  'purchase.write': managers,
  'supplier.write': managers,
  'tracking.write': managers,
  'key.manage': managers,
  'product.delete': adminsAlone,
  'warehouse.write': adminsAlone,
  'settings.write': adminsAlone,
  'stock.check': adminsAlone,
  'user.manage': adminsAlone,
  'webhook.manage': adminsAlone,
  'audit.read': adminsAlone,
} satisfies Record<string, readonly string[]>

export type Permission = keyof typeof roles

export const rolesWith = (permission: string): readonly string[] => roles[permission as Permission] ?? []
