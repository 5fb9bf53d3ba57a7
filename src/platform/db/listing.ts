import type { Database, Sql } from './database.ts'

/** Up to this offset, finding where a page begins takes next to no time. */
const shallow = 1_000

/** What reads a page of a list. Pages far from its beginning, and what is searched for, may take long. */
export const listing = (
  { sql, long }: Pick<Database, 'sql' | 'long'>,
  { offset = 0 }: { offset?: number },
  search?: string | undefined,
): Sql => (offset > shallow || search ? long : sql)
