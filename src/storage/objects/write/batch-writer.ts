import { getOrCreate, lru } from '#platform/cache/lru.ts'
import type { Database, Sql } from '#platform/db/database.ts'

const maxOrganizations = 1_000

/**
 * Combines the writes that arrive at the same moment for one organization into one statement; see `db.batchWrites`. Those
 * of other organizations go into other statements: they have no counter in common, and none waits for the locks of
 * another.
 */
export const batchesByOrganization = <I, T>(
  db: Database,
  batch: { exclusiveBy: (item: I) => unknown; run: (q: Sql, orgId: string, items: I[]) => Promise<T[]> },
) => {
  const { exclusiveBy, run } = batch
  const writers = lru<(item: I) => Promise<T>>(maxOrganizations)
  return (orgId: string, item: I): Promise<T> =>
    getOrCreate(writers, orgId, () =>
      db.batchWrites({ exclusiveBy, run: (q, items) => run(q, orgId, items) }),
    )(item)
}
