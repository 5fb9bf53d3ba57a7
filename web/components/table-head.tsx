import { ArrowDown, ArrowUp } from 'lucide-preact'
import type { Column, Sort, TableProps } from './table-types.ts'

type HeadProps<Row> = TableProps<Row> & { chosen: number; onChooseAll: (isChosen: boolean) => void }

export function TableHead<Row>(props: HeadProps<Row>) {
  const { columns, rows = [], selection, actions, sort, chosen, onChooseAll } = props
  const all = rows.length > 0 && chosen === rows.length
  return (
    <thead>
      <tr>
        {selection && (
          <th class="cell-check" scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows"
              checked={all}
              // biome-ignore lint/suspicious/noAssignInExpressions: there is no attribute for it
              ref={(box) => void (box && (box.indeterminate = chosen > 0 && !all))}
              onChange={(event) => onChooseAll(event.currentTarget.checked)}
            />
          </th>
        )}
        {columns.map((column) => (
          <Heading key={column.key} column={column} sort={sort} />
        ))}
        {actions && (
          <th class="cell-actions" scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

const Heading = <Row,>({ column, sort }: { column: Column<Row>; sort?: Sort | undefined }) => {
  const { title, align, width, minor } = column
  const direction =
    !sort || !column.sort
      ? null
      : sort.by === column.sort
        ? 'ascending'
        : sort.by === `-${column.sort}`
          ? 'descending'
          : 'none'
  const className = [align === 'end' && 'end', minor && 'minor'].filter(Boolean).join(' ') || undefined
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      class={className}
      aria-sort={direction ?? undefined}
      style={width ? { width } : undefined}
    >
      {direction && sort ? (
        <button
          type="button"
          class="sort"
          onClick={() => void sort.onSort(direction === 'ascending' ? `-${column.sort}` : `${column.sort}`)}
        >
          {title}
          <Arrow size={14} aria-hidden="true" class={direction === 'none' ? 'unsorted' : undefined} />
        </button>
      ) : (
        title
      )}
    </th>
  )
}
