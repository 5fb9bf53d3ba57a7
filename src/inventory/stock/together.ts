import { getOrCreate, lru } from '#platform/cache/lru.ts'
import type { Database } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal } from '../context.ts'
import type { Adjustment } from './schema.ts'
import * as store from './store.ts'

type Timed<I> = { item: I; now: Date }
type Write<I, T> = (timed: Timed<I>) => Promise<T>

const maxCallers = 1_000

/**
 * Combines the changes of stock that one person, or the keys of one tenant, send at the same moment into one statement; see
 * `db.batchWrites`. Two changes of one product never share one.
 */
const together = <I, T>(writer: (db: Database, me: Principal) => Write<I, T>) =>
  moduleState(({ db, clock }: Platform) => {
    const writers = lru<Write<I, T>>(maxCallers)
    return (me: Principal, item: I) =>
      getOrCreate(writers, `${me.tenantId}/${me.userId}`, () => writer(db, me))({ item, now: clock.now() })
  })

const itemsOf = <I>(timed: readonly Timed<I>[]) => timed.map(({ item }) => item)
const latest = (timed: readonly Timed<unknown>[]) => timed.at(-1)!.now

/** Returns the new quantity. */
export const adjustTogether = together<Adjustment, number>((db, me) =>
  db.batchWrites({
    exclusiveBy: ({ item }) => item.product_id,
    run: (q, timed) => store.adjustStock(q, me, itemsOf(timed), latest(timed)),
  }),
)

/** Returns why a count could not be set, if so. */
export const setTogether = together<store.Count, store.Skipped | undefined>((db, me) =>
  db.batchWrites({
    exclusiveBy: ({ item }) => item.sku,
    run: async (q, timed) => {
      const { skipped } = await store.syncStock(q, me, itemsOf(timed), latest(timed))
      return timed.map((_, n) => skipped.find(({ position }) => position === n + 1))
    },
  }),
)
