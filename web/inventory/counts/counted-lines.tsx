import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { ScanBarcode } from 'lucide-preact'
import { confirm } from '#web/components/confirm.tsx'
import { counted, count as number } from '#web/components/format.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { api, type Count, type CountLine } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { useListPages } from '../shared/list-pages.ts'
import { Signed } from '../stock/words.tsx'
import { countLinesQuery } from './queries.ts'
import { nameOf, sumOf } from './words.tsx'

const serialsOf = ({ missing_serials, found_serials }: CountLine) =>
  [
    missing_serials && `Missing: ${missing_serials.join(', ')}`,
    found_serials && `Found: ${found_serials.join(', ')}`,
  ]
    .filter(Boolean)
    .join('. ')

/** When the review begins, lines that were read blind are shown until those with the differences have arrived. */
const Unknown = () => <span class="quiet">–</span>

const product: Column<CountLine> = {
  key: 'product',
  title: 'Product',
  cell: (line) => (
    <>
      {line.product_name}
      {line.batch_number !== null && <span class="quiet"> Batch {line.batch_number}</span>}
      {serialsOf(line) && <span class="count-serials quiet">{serialsOf(line)}</span>}
    </>
  ),
}
const sku: Column<CountLine> = {
  key: 'sku',
  title: 'SKU',
  width: '9rem',
  cell: (line) => <code>{line.sku}</code>,
}
const seen: Column<CountLine> = {
  key: 'counted',
  title: 'Counted',
  align: 'end',
  width: '7rem',
  cell: (line) => number(line.counted_quantity),
}
const who: Column<CountLine>[] = [
  {
    key: 'by',
    title: 'By',
    minor: true,
    width: '11rem',
    cell: (line) => line.counted_by_name ?? <Unknown />,
  },
  { key: 'when', title: 'When', minor: true, width: '9rem', cell: (line) => <When at={line.counted_at} /> },
]
const differences: Column<CountLine>[] = [
  {
    key: 'expected',
    title: 'Expected',
    align: 'end',
    width: '7rem',
    cell: ({ expected_quantity: expected }) => (expected === null ? <Unknown /> : number(expected)),
  },
  seen,
  {
    key: 'difference',
    title: 'Difference',
    align: 'end',
    width: '8rem',
    cell: (line) => <Difference {...line} />,
  },
  {
    key: 'value',
    title: 'Worth',
    align: 'end',
    width: '8rem',
    cell: ({ difference_value: value }) => (value === null ? <Unknown /> : amount(value)),
  },
]

const Difference = ({ difference }: CountLine) => {
  if (difference === null) return <Unknown />
  return difference ? <Signed n={difference} /> : <span class="quiet">0</span>
}

type Props = {
  count: Count
  /** Whether this person sees what the ledger said. */
  isOpenBook: boolean
  different?: boolean
  /** Missing once nothing can be counted any more. */
  onAgain?: (line: CountLine) => unknown
}

/** What was counted; in the review and afterwards with the differences. */
export function CountedLines({ count, isOpenBook, different, onAgain }: Props) {
  const queries = useQueryClient()
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    countLinesQuery(count.id, { different, page, limit }),
  )
  const remove = async (line: CountLine) => {
    const isSure = await confirm({
      title: `Remove ${nameOf(line)}?`,
      text: `The ${counted(line.counted_quantity, 'unit')} that were counted are forgotten, as if nobody had counted them.`,
      verb: 'Remove line',
      danger: true,
    })
    if (!isSure) return
    try {
      const path = { id: count.id, lineId: line.id }
      await api.DELETE('/api/counts/{id}/lines/{lineId}', { params: { path } })
      toast(`${nameOf(line)} removed from ${count.count_number}`)
    } catch (error) {
      toastError(error)
    }
    await queries.invalidateQueries({ queryKey: ['counts'] })
  }
  return (
    <DataTable
      label="Lines"
      columns={isOpenBook ? [product, sku, ...differences, ...who] : [product, sku, seen, ...who]}
      rows={data?.lines}
      rowKey={({ id }) => String(id)}
      rowName={nameOf}
      {...(count.status === 'posted'
        ? { hrefOf: ({ product_id }: CountLine) => `/console/products/${product_id}/movements` }
        : {})}
      {...(onAgain
        ? {
            actions: (line: CountLine) => [
              { label: 'Count again', onSelect: () => onAgain(line) },
              { label: 'Remove line', danger: true, onSelect: () => remove(line) },
            ],
          }
        : {})}
      loading={isPlaceholderData}
      error={error}
      retry={refetch}
      paging={pagingOf(data?.total)}
      toolbar={data?.summary && sumOf(data.summary) && <p>{sumOf(data.summary)}.</p>}
      empty={<Nothing different={different} />}
    />
  )
}

const Nothing = ({ different }: { different?: boolean | undefined }) =>
  different ? (
    <Empty title="No differences" text="What was counted is what the stock says. Posting changes nothing." />
  ) : (
    <Empty
      icon={ScanBarcode}
      title="Nothing counted yet"
      text="Scan what is on the shelves, or type a name. What others count appears here by itself."
    />
  )
