import { getOrCreate, lru } from '#platform/cache/lru.ts'
import type { Database } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal } from '../context.ts'
import type { Adjustment } from './schema.ts'
import * as store from './store.ts'

type Timed<T> = { item: T; now: Date }

const maxCallers = 1000

/** One `db.batchWrites` for each person or tenant's keys: a statement is of one tenant, and its movements of one person. */
const together = <I, T>(write: (db: Database, me: Principal) => (timed: Timed<I>) => Promise<T>) =>
  moduleState(({ db, clock }: Platform) => {
    const callers = lru<(timed: Timed<I>) => Promise<T>>(maxCallers)
    return (me: Principal, item: I) =>
      getOrCreate(callers, `${me.tenantId}/${me.userId}`, () => write(db, me))({ item, now: clock.now() })
  })

const itemsOf = <I>(timed: readonly Timed<I>[]) => timed.map(({ item }) => item)
const latest = (timed: readonly Timed<unknown>[]) => timed.at(-1)!.now

/** Adjusts stock and returns the new quantity; adjustments of different products that come at once are one statement. */
export const adjustTogether = together<Adjustment, number>((db, me) =>
  db.batchWrites({
    exclusiveBy: ({ item }) => item.product_id,
    run: async (q, timed) => {
      const [first, ...others] = itemsOf(timed)
      return first && others.length === 0
        ? [await store.adjustStock(q, me, first, latest(timed))]
        : store.adjustTogether(q, me, itemsOf(timed), latest(timed))
    },
  }),
)

/** Sets one count, and returns why that could not be done; counts of different products that come at once are one statement. */
export const setTogether = together<store.Count, store.Skipped | undefined>((db, me) =>
  db.batchWrites({
    exclusiveBy: ({ item }) => item.sku,
    run: async (q, timed) => {
      const { skipped } = await store.syncStock(q, me, itemsOf(timed), latest(timed))
      return timed.map((_, n) => skipped.find(({ position }) => position === n + 1))
    },
  }),
)
