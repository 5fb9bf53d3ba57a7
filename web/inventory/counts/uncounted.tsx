import { useQuery } from '@tanstack/preact-query'
import { ClipboardCheck } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { count as number } from '#web/components/format.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { api, type Count, type Schemas } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { type Target, useEnter } from './enter.ts'
import { uncountedQuery } from './queries.ts'

type Row = Schemas['UncountedProduct']
type Typed = Record<number, { row: Row; text: string }>

const product: Column<Row> = { key: 'product', title: 'Product', cell: (row) => row.product_name }
const sku: Column<Row> = { key: 'sku', title: 'SKU', width: '9rem', cell: (row) => <code>{row.sku}</code> }
const onHand: Column<Row> = {
  key: 'quantity',
  title: 'On hand',
  align: 'end',
  width: '8rem',
  cell: ({ quantity }) => (quantity === null ? <span class="quiet">–</span> : number(quantity)),
}

/** Where somebody types stays, even if somebody else counts that product meanwhile. */
const withTyped = (rows: Row[], typed: Typed) => {
  const known = new Set(rows.map(({ product_id }) => product_id))
  const kept = Object.values(typed).flatMap(({ row }) => (known.has(row.product_id) ? [] : [row]))
  return [...rows, ...kept].sort((a, b) => a.product_id - b.product_id)
}

type Props = { count: Count; onTarget: (target: Target) => void }

/** What is on hand and has no line: the list by which people count, row by row. */
export function Uncounted({ count, onTarget }: Props) {
  const enter = useEnter(count)
  const { page, limit, pagingOf } = useListPages()
  const [typed, setTyped] = useState<Typed>({})
  const { data, error, isPlaceholderData, refetch } = useQuery(uncountedQuery(count.id, { page, limit }))

  const forget = (id: number) => setTyped(({ [id]: _, ...rest }) => rest)
  const send = async ({ product_id }: Row, input: HTMLInputElement) => {
    if (input.value === '') return
    const fields = [...document.querySelectorAll<HTMLInputElement>('[data-count]')]
    fields[fields.indexOf(input) + 1]?.focus()
    try {
      toast(await enter({ product_id, quantity: input.valueAsNumber, mode: 'add' }))
      forget(product_id)
    } catch (error) {
      toastError(error)
      input.focus()
    }
  }
  const choose = async ({ product_id: id }: Row) => {
    const { data } = await api.GET('/api/products/{id}', { params: { path: { id } } })
    onTarget({ product: data, mode: 'add' })
  }
  const quantity: Column<Row> = {
    key: 'count',
    title: 'Counted',
    align: 'end',
    width: '10rem',
    cell: (row) =>
      row.tracking_type === 'none' ? (
        <input
          class="short"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          data-count="true"
          aria-label={`Counted of ${row.product_name}`}
          value={typed[row.product_id]?.text ?? ''}
          onInput={({ currentTarget: { value: text } }) =>
            text === '' ? forget(row.product_id) : setTyped({ ...typed, [row.product_id]: { row, text } })
          }
          onKeyDown={(event) => event.key === 'Enter' && void send(row, event.currentTarget)}
        />
      ) : (
        <Button label={`Count ${row.product_name}`} onClick={() => choose(row)}>
          {row.tracking_type === 'batch' ? 'Count batches' : 'Count serials'}
        </Button>
      ),
  }
  return (
    <DataTable
      label="Not counted"
      columns={count.status === 'open' ? [product, sku, quantity] : [product, sku, onHand]}
      rows={data && withTyped(data.uncounted, typed)}
      rowKey={({ product_id }) => String(product_id)}
      rowName={({ product_name }) => product_name}
      loading={isPlaceholderData}
      error={error}
      retry={refetch}
      paging={pagingOf(data?.total)}
      empty={
        <Empty
          icon={ClipboardCheck}
          title="Everything is counted"
          text="All products of this count that should be there have been counted."
        />
      }
    />
  )
}
