import type { ComponentChildren } from 'preact'
import type { MenuItem } from './menu.tsx'

export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ComponentChildren
  align?: 'start' | 'end'
  /** The name of this order in the API, if it sorts by this column. */
  sort?: string
  /** Such as `12rem`; the first column takes what is left. */
  width?: string
  /** Left out on narrow screens. */
  minor?: boolean
}

/** The order of a list, as `name` or `-name`. */
export type Sort = { by: string; onSort: (by: string) => unknown }

type PageSize = { size?: number; sizes?: number[]; onSize?: (size: number) => unknown }

export type Paging = PageSize &
  (
    | {
        kind: 'pages'
        page: number
        pageCount: number
        /** Undefined until it is known. */
        total: number | undefined
        onPage: (page: number) => unknown
      }
    | {
        kind: 'cursor'
        hasMore: boolean
        hasPrevious: boolean
        onNext: () => unknown
        onPrevious: () => unknown
        total?: number
      }
  )

export type TableProps<Row> = {
  /** The accessible name of the table: "Buckets". */
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** What the row is called: it is the text of its link, and names its menu. */
  rowName: (row: Row) => string
  hrefOf?: (row: Row) => string
  onOpen?: (row: Row) => unknown
  /** The items of "Actions for <name>"; no menu for a row without items. */
  actions?: (row: Row) => MenuItem[]
  selection?: { actions: (rows: Row[], clear: () => void) => ComponentChildren }
  paging?: Paging
  sort?: Sort
  /** The rows are those of another page or filter, until the ones that were asked for are there. */
  loading?: boolean
  error?: unknown
  retry?: () => unknown
  /** Shown when there is nothing, and no filter is set. */
  empty?: ComponentChildren
  /** Whether a filter is set: nothing is then "Nothing found". */
  filtered?: boolean
  onClear?: () => unknown
  toolbar?: ComponentChildren
  /** The row that is open beside the table. */
  currentKey?: string
}
