import type { Sql, Tx } from '#platform/db/database.ts'
import type { Principal } from '../context.ts'
import * as store from './store.ts'

/**
 * Until the transaction ends, no other transaction changes what concerns the tenant as a whole: its last admin, its default
 * warehouse, the tree of its categories, the purchase orders drafted from suggestions.
 */
export const lockTenant = (tx: Tx, me: Principal) => store.lockTenant(tx, me.tenantId)

/** How many rows a list of the tenant has, without counting them. */
export const listTotal = (q: Sql, me: Principal, list: store.List) =>
  store.findListTotal(q, me.tenantId, list)
