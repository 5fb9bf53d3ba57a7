import { useState } from 'preact/hooks'
import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type Count, type CountLine, type CountStatus, type CountSummary } from '../api.ts'
import { useMove } from '../shared/use-move.ts'
import { Signed } from '../stock/words.tsx'
import { nameOf, sumOf } from './words.tsx'

/** How many changes a question names one by one. */
const named = 8

const read = async (id: number, query: { different?: boolean; limit: number }) =>
  (await api.GET('/api/counts/{id}/lines', { params: { path: { id }, query } })).data

type ChangesProps = {
  lines: CountLine[]
  summary: CountSummary | null
  total: number
  left: number
}

const Changes = ({ lines, summary, total, left }: ChangesProps) => (
  <>
    {total === 0 ? (
      <p>No stock changes: what was counted is what is there.</p>
    ) : (
      <>
        <p>
          The stock of {counted(total, 'line')} changes. This cannot be undone.
          {summary && ` ${sumOf(summary)}.`}
        </p>
        <ul class="count-changes">
          {lines.map((line) => (
            <li key={line.id}>
              <span>{nameOf(line)}</span> {line.difference ? <Signed n={line.difference} /> : 'other serials'}
            </li>
          ))}
          {total > lines.length && <li>and {total - lines.length} more</li>}
        </ul>
      </>
    )}
    {left > 0 && (
      <p>
        {counted(left, 'product')} {left === 1 ? 'was' : 'were'} not counted and{' '}
        {left === 1 ? 'stays as it is' : 'stay as they are'}.
      </p>
    )}
  </>
)

const askToPost = async ({ id, count_number }: Count) => {
  const [{ lines, summary, total }, { data }] = await Promise.all([
    read(id, { different: true, limit: named }),
    api.GET('/api/counts/{id}/uncounted', { params: { path: { id }, query: { limit: 1 } } }),
  ])
  return confirm({
    title: `Post ${count_number}?`,
    text: <Changes lines={lines} summary={summary} total={total} left={data.total} />,
    verb: 'Post count',
  })
}

const askToCancel = ({ count_number, line_count }: Count) =>
  confirm({
    title: `Cancel ${count_number}?`,
    text: `The stock stays as it is. ${counted(line_count, 'counted line')} will be of no use any more.`,
    verb: 'Cancel count',
    danger: true,
  })

const done: Record<CountStatus, string> = {
  open: 'is open again',
  review: 'is ready for review',
  posted: 'is posted',
  cancelled: 'is cancelled',
}

/** Moves a count on. What the service refuses stays on the page until the next attempt. */
export const useMoves = (count: Count) => {
  const { move, buttonTo } = useMove<CountStatus>(['counts'])
  const [failure, setFailure] = useState<unknown>(null)
  const { id } = count
  const change = async (status: CountStatus) => {
    if (status === 'posted' && !(await askToPost(count))) return false
    if (status === 'cancelled' && !(await askToCancel(count))) return false
    await api.PATCH('/api/counts/{id}/status', { params: { path: { id } }, body: { status } })
    toast(`${count.count_number} ${done[status]}`)
    return true
  }
  /** Returns whether the count has moved. */
  const moveTo = async (status: CountStatus) => {
    setFailure(null)
    try {
      return await move(status, () => change(status))
    } catch (error) {
      setFailure(error)
      return false
    }
  }
  return { moveTo, buttonTo, failure }
}
