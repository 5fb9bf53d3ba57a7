import type { ComponentChildren, RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Menu } from './menu.tsx'
import type { Column, TableProps } from './table-types.ts'

type RowProps<Row> = {
  row: Row
  columns: Column<Row>[]
  name: string
  href: string | undefined
  /** Whether something is done to open it, instead of going to its address. */
  isOpened: boolean
  isCurrent: boolean
  /** Undefined if rows cannot be chosen. */
  isChosen: boolean | undefined
  onChoose: (row: Row, isChosen: boolean) => void
  /** Undefined if no row has any. */
  hasActions: boolean | undefined
  /** What the table was last given, for what happens later. */
  table: RefObject<TableProps<Row>>
}

/** A row is drawn again only when something that it shows has changed, not whenever its table is. */
export function TableRow<Row extends object>(props: RowProps<Row>) {
  const { row, columns, name, href, isOpened, isCurrent, isChosen, hasActions } = props
  return useMemo(
    () => <DrawnRow {...props} />,
    [columns, name, href, isOpened, isCurrent, isChosen, hasActions, ...Object.values(row)],
  )
}

/** A click on something in the row that does something itself. */
const isOwnClick = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest('a, button, input, label, select, [popover]') !== null

function DrawnRow<Row>(props: RowProps<Row>) {
  const { row, columns, name, href, isOpened, isCurrent, isChosen, onChoose, hasActions, table } = props
  const { route } = useLocation()
  const opens = href !== undefined || isOpened
  const onOpen = () => void table.current?.onOpen?.(row)
  const open = (event: MouseEvent) => {
    if (!opens || isOwnClick(event) || getSelection()?.toString()) return
    if (isOpened) onOpen()
    else if (href) route(href)
  }
  return (
    <tr
      class={[opens && 'opens', isChosen && 'chosen'].filter(Boolean).join(' ') || undefined}
      aria-selected={isChosen}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={opens ? undefined : -1}
      onClick={open}
    >
      {isChosen !== undefined && (
        <td class="cell-check">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isChosen}
            onChange={(event) => onChoose(row, event.currentTarget.checked)}
          />
        </td>
      )}
      {columns.map(({ key, title, cell, align, minor }, n) => (
        <td
          key={key}
          data-title={n > 0 ? title : undefined}
          class={[align === 'end' && 'end', minor && 'minor'].filter(Boolean).join(' ') || undefined}
        >
          {n === 0 && opens ? (
            <Opener href={href} onOpen={isOpened ? onOpen : undefined}>
              {cell(row)}
            </Opener>
          ) : (
            cell(row)
          )}
        </td>
      ))}
      {hasActions !== undefined && (
        <td class="cell-actions">
          {hasActions && (
            <Menu label={`Actions for ${name}`} items={() => table.current?.actions?.(row) ?? []} />
          )}
        </td>
      )}
    </tr>
  )
}

type OpenerProps = {
  href?: string | undefined
  onOpen?: (() => unknown) | undefined
  children: ComponentChildren
}

/** What opens the row, by click or Enter: a link where it has an address. */
const Opener = ({ href, onOpen, children }: OpenerProps) =>
  href !== undefined && !onOpen ? (
    <a class="row-link" href={href} data-row-focus="true">
      {children}
    </a>
  ) : (
    <button class="row-link" type="button" data-row-focus="true" onClick={() => void onOpen?.()}>
      {children}
    </button>
  )
