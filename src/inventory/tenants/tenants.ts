import type { Sql, Tx } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlight } from '#platform/single-flight.ts'
import type { Inventory, Principal } from '../context.ts'
import * as store from './store.ts'

/**
 * Until the transaction ends, no other transaction changes what concerns the tenant as a whole: its last admin, its default
 * warehouse, the tree of its categories, the purchase orders drafted from suggestions.
 */
export const lockTenant = (tx: Tx, me: Principal) => store.lockTenant(tx, me.tenantId)

/** How many rows a list of the tenant has, without counting them. */
export const listTotal = (q: Sql, me: Principal, list: store.List) =>
  store.findListTotal(q, me.tenantId, list)

const folding = moduleState(({ db, log }: Platform) =>
  singleFlight(async () => {
    try {
      await db.write((q) => store.foldListChanges(q))
    } catch (err) {
      log.warn({ err }, 'totals could not be brought up to date, the job will do it')
    }
  }),
)

/** From this many on, adding up the entries of a total takes longer than reading a page. */
const manyEntries = 50

/**
 * To be called with the number of entries that a total was added up from. After many additions, such as an import, it
 * combines them at once instead of waiting for the job that does so every minute.
 */
export const foldIfMany = (ctx: Inventory, entries: number) => {
  if (entries > manyEntries) void folding(ctx)()
}
