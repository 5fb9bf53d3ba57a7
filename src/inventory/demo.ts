import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import type { Inventory } from './context.ts'
import { createWarehouse } from './warehouses/warehouses.ts'

const login = { role: 'Admin of Larkspur Goods', login: 'noor@larkspur.example', password: 'trivet-demo' }

/** A small shop's warehouses. */
export const demo = async (ctx: Inventory) => {
  if (await findCredentials(ctx.db.sql, login.login)) return [login]
  const { user, tenant } = await register(ctx, {
    company_name: 'Larkspur Goods',
    name: 'Noor Haddad',
    email: login.login,
    password: login.password,
  })
  const admin = { userId: user.id, tenantId: tenant.id, role: user.role }
  await createWarehouse(ctx, admin, { name: 'North depot', code: 'NORTH', city: 'Leeds', is_default: false })
  return [login]
}
