import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { Menu } from './menu.tsx'
import type { TableProps } from './table-types.ts'

type RowProps<Row> = TableProps<Row> & {
  row: Row
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** A click on something in the row that does something itself. */
const isOwnClick = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest('a, button, input, label, select, [popover]') !== null

export function TableRow<Row>(props: RowProps<Row>) {
  const { row, columns, rowKey, rowName, hrefOf, onOpen, actions, selection, isChosen, onChoose } = props
  const { route } = useLocation()
  const name = rowName(row)
  const href = hrefOf?.(row)
  const opens = href !== undefined || onOpen !== undefined
  const items = actions?.(row) ?? []
  const open = (event: MouseEvent) => {
    if (!opens || isOwnClick(event) || getSelection()?.toString()) return
    if (onOpen) void onOpen(row)
    else if (href) route(href)
  }
  return (
    <tr
      class={[opens && 'opens', isChosen && 'chosen'].filter(Boolean).join(' ') || undefined}
      aria-selected={selection ? isChosen : undefined}
      aria-current={props.currentKey === rowKey(row) ? 'true' : undefined}
      tabIndex={opens ? undefined : -1}
      onClick={open}
    >
      {selection && (
        <td class="cell-check">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
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
            <Opener href={href} onOpen={onOpen && (() => onOpen(row))}>
              {cell(row)}
            </Opener>
          ) : (
            cell(row)
          )}
        </td>
      ))}
      {actions && (
        <td class="cell-actions">
          {items.length > 0 && <Menu label={`Actions for ${name}`} items={() => actions(row)} />}
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
