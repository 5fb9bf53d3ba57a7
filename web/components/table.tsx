import { useRef, useState } from 'preact/hooks'
import { ErrorState, NothingFound } from './states.tsx'
import { TableFoot } from './table-foot.tsx'
import { TableHead } from './table-head.tsx'
import { useTableKeys } from './table-keys.ts'
import { TableRow } from './table-row.tsx'
import type { TableProps } from './table-types.ts'

export type { Column } from './table-types.ts'

/** A list that the server pages, sorts and filters. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, selection, paging, loading, error, retry, toolbar } = props
  const frame = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useTableKeys(frame)

  // What is no longer listed is no longer chosen.
  const selected = rows?.filter((row) => chosen.has(rowKey(row))) ?? []
  const clear = () => setChosen(new Set())
  const choose = (keys: string[], isChosen: boolean) => {
    const next = new Set(selected.map(rowKey))
    for (const key of keys) isChosen ? next.add(key) : next.delete(key)
    setChosen(next)
  }

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
              onChooseAll={(isChosen) => choose(rows?.map(rowKey) ?? [], isChosen)}
            />
            <tbody>
              {isMissing
                ? Array.from({ length: 6 }, (_, n) => <SkeletonRow key={n} columns={columns.length} n={n} />)
                : rows?.map((row) => (
                    <TableRow
                      key={rowKey(row)}
                      {...props}
                      row={row}
                      isChosen={chosen.has(rowKey(row))}
                      onChoose={(isChosen) => choose([rowKey(row)], isChosen)}
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
