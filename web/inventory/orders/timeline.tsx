import { useQuery } from '@tanstack/preact-query'
import { Card } from '#web/components/card.tsx'
import { counted } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import type { Schemas } from '../api.ts'
import { TimelineList } from '../shared/timeline-list.tsx'
import { timelineQuery } from './queries.ts'

type Entry = Schemas['TimelineEntry']

const titleOf = ({ type, status, items }: Entry) => {
  const units = counted(
    items.reduce((sum, { quantity }) => sum + quantity, 0),
    'unit',
  )
  if (type === 'created') return 'Order placed'
  if (type === 'reserved') return `${units} reserved`
  if (type === 'backordered') return `${units} backordered`
  if (type === 'shipped') return `${units} shipped`
  if (type === 'returned') return `${units} returned`
  return status === 'paid' ? 'Marked as paid' : status === 'shipped' ? 'Marked as shipped' : `Now ${status}`
}

const detailOf = ({ type, items }: Entry) =>
  type !== 'created' &&
  items
    .map(({ quantity, product_name, reason }) =>
      reason ? `${quantity} × ${product_name} (${reason})` : `${quantity} × ${product_name}`,
    )
    .join(', ')

/** What happened to an order. */
export function Timeline({ orderId }: { orderId: number }) {
  const { data, error, refetch } = useQuery(timelineQuery(orderId))
  return (
    <Card title="Timeline">
      {data ? (
        <TimelineList
          label="Timeline"
          entries={data.map((entry) => ({ ...entry, title: titleOf(entry), detail: detailOf(entry) }))}
        />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Card>
  )
}
