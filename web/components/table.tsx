import { useRef, useState } from 'preact/hooks'
import { ErrorState, NothingFound } from './states.tsx'
import { TableFoot } from './table-foot.tsx'
import { TableHead } from './table-head.tsx'
import { useTableKeys } from './table-keys.ts'
import { TableRow } from './table-row.tsx'
import type { TableProps } from './table-types.ts'

export type { Column } from './table-types.ts'

/** A list that the server pages, sorts and filters. */
export function DataTable<Row extends object>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, selection, paging, loading, error, retry, toolbar } = props
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useTableKeys(frame)

  // What is no longer listed is no longer chosen.
  const selected = rows?.filter((row) => chosen.has(rowKey(row))) ?? []
  const clear = () => setChosen(new Set())
  const choose = (some: Row[], isChosen: boolean) =>
    setChosen((before) => {
      const { rows = [], rowKey } = latest.current
      const next = new Set(rows.map(rowKey).filter((key) => before.has(key)))
      for (const row of some) isChosen ? next.add(rowKey(row)) : next.delete(rowKey(row))
      return next
    })

  const isMissing = rows === undefined && (error === null || error === undefined)
  const isEmpty = rows !== undefined && rows.length === 0 && !loading
  return (
    <div class="data-table" ref={frame}>
      {selection && selected.length > 0 ? (
        <div class="toolbar selection">
          <span class="selection-count" role="status">
            {selected.length} selected
          </span>
          {selection.actions(selected, clear)}
          <button class="button plain" type="button" onClick={clear}>
            Clear selection
          </button>
        </div>
      ) : (
        toolbar && <div class="toolbar">{toolbar}</div>
      )}
      {error && rows === undefined ? (
        <ErrorState error={error} retry={retry} />
      ) : isEmpty ? (
        nothing(props)
      ) : (
        <div class="table-scroll">
          <table aria-label={label} aria-busy={isMissing || loading || undefined}>
            <TableHead
              {...props}
              chosen={selected.length}
              onChooseAll={(isChosen) => choose(rows ?? [], isChosen)}
            />
            <tbody>
              {isMissing
                ? Array.from({ length: 6 }, (_, n) => <SkeletonRow key={n} columns={columns.length} n={n} />)
                : rows?.map((row) => (
                    <TableRow
                      key={rowKey(row)}
                      row={row}
                      columns={columns}
                      name={props.rowName(row)}
                      href={props.hrefOf?.(row)}
                      isOpened={props.onOpen !== undefined}
                      isCurrent={props.currentKey === rowKey(row)}
                      isChosen={selection && chosen.has(rowKey(row))}
                      onChoose={(row, isChosen) => choose([row], isChosen)}
                      hasActions={props.actions && props.actions(row).length > 0}
                      table={latest}
                    />
                  ))}
            </tbody>
          </table>
        </div>
      )}
      {paging && rows !== undefined && rows.length > 0 && <TableFoot paging={paging} shown={rows.length} />}
    </div>
  )
}

const nothing = <Row,>({ filtered, onClear, empty }: TableProps<Row>) =>
  filtered || !empty ? <NothingFound onClear={onClear} /> : empty

const SkeletonRow = ({ columns, n }: { columns: number; n: number }) => (
  <tr class="skeleton-row">
    <td colSpan={columns + 2}>
      <div class={`skeleton-line w${n % 4}`} />
    </td>
  </tr>
)
