import { useQueryParams } from '#web/components/query-state.ts'
import type { Paging } from '#web/components/table-types.ts'

const usualSize = 50

/** Page and page size of a list, from the address. */
export const useListPages = () => {
  const [query, change] = useQueryParams()
  const page = Math.max(1, Number.parseInt(query.page ?? '', 10) || 1)
  const limit = Math.min(200, Math.max(1, Number.parseInt(query.limit ?? '', 10) || usualSize))
  const pagingOf = (total: number | undefined): Paging => ({
    kind: 'pages',
    page,
    pageCount: total === undefined ? page : Math.max(1, Math.ceil(total / limit)),
    total,
    onPage: (to) => change({ page: to === 1 ? null : to }, { push: true }),
    size: limit,
    onSize: (size) => change({ limit: size === usualSize ? null : size, page: null }),
  })
  return { page, limit, pagingOf }
}
