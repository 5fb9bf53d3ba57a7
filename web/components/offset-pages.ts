import { useQueryParams } from './query-state.ts'
import type { Paging } from './table-types.ts'

const sizes = [25, 50, 100, 200]

/** Pages of a list that is read by limit and offset, kept in the address. What makes no sense there is ignored. */
export const useOffsetPages = (usualSize: number) => {
  const [query, change] = useQueryParams()
  const size = sizes.find((one) => one === Number(query.size)) ?? usualSize
  const asked = Number(query.page)
  const page = Number.isSafeInteger(asked) && asked > 0 && asked < 1e9 ? asked : 1
  return {
    limit: size,
    offset: (page - 1) * size,
    paging: (total: number): Paging => ({
      kind: 'pages',
      page,
      pageCount: Math.max(1, Math.ceil(total / size)),
      total,
      onPage: (next) => change({ page: next === 1 ? null : next }, { push: true }),
      size,
      sizes,
      onSize: (next) => change({ size: next === usualSize ? null : next, page: null }),
    }),
  }
}
