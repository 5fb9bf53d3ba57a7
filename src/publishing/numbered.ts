import type { Publishing } from './context.ts'
import * as store from './numbered-store.ts'
import { offsetOf, type PageQuery } from './paging.ts'

/** Up to here it is quicker to count than to look anything up. */
const shallow = 1_000

/** A page of a long list: page 10,000 costs what page 1 does. */
export const readPage = async (ctx: Publishing, list: store.List, page: PageQuery) => {
  const offset = offsetOf(page)
  if (offset <= shallow) return store.readShallow(ctx.db.sql, list, page.limit, offset)
  while ((await store.unmarked(ctx.db.sql, list)) > shallow)
    if ((await ctx.db.transaction((tx) => store.mark(tx, list))) === 0) break
  return store.readDeep(ctx.db.sql, list, page.limit, offset)
}
