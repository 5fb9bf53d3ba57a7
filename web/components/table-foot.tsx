import { ChevronLeft, ChevronRight } from 'lucide-preact'
import { Button } from './button.tsx'
import { count, counted } from './format.ts'
import type { Paging } from './table-types.ts'

const usualSizes = [25, 50, 100, 200]

/** How many there are, how many are shown, and the way to the others. */
export function TableFoot({ paging, shown }: { paging: Paging; shown: number }) {
  const { size, sizes = usualSizes, onSize, total } = paging
  return (
    <div class="table-foot">
      <span class="table-total" role="status">
        {rangeOf(paging, shown) ?? (total === undefined ? '' : counted(total, 'row'))}
      </span>
      {size !== undefined && onSize && (
        <label class="page-size">
          Rows per page
          <select value={String(size)} onChange={(event) => void onSize(Number(event.currentTarget.value))}>
            {[...new Set([...sizes, size])]
              .sort((a, b) => a - b)
              .map((one) => (
                <option key={one} value={String(one)}>
                  {one}
                </option>
              ))}
          </select>
        </label>
      )}
      <Steps paging={paging} />
    </div>
  )
}

const rangeOf = (paging: Paging, shown: number) => {
  if (paging.kind !== 'pages' || paging.size === undefined) return null
  const first = (paging.page - 1) * paging.size + 1
  const range = `${count(first)}–${count(first + shown - 1)}`
  return paging.total === undefined ? range : `${range} of ${count(paging.total)}`
}

const Steps = ({ paging }: { paging: Paging }) => {
  const [back, forth] =
    paging.kind === 'pages'
      ? [paging.page > 1, paging.page < paging.pageCount]
      : [paging.hasPrevious, paging.hasMore]
  if (!back && !forth) return null
  const step = (by: 1 | -1) => {
    if (paging.kind === 'pages') return paging.onPage(paging.page + by)
    return by === 1 ? paging.onNext() : paging.onPrevious()
  }
  return (
    <nav class="steps" aria-label="Pages">
      <Button icon={ChevronLeft} disabled={!back} onClick={() => step(-1)}>
        Previous
      </Button>
      <Button icon={ChevronRight} disabled={!forth} onClick={() => step(1)}>
        Next
      </Button>
    </nav>
  )
}
