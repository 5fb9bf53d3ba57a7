import { useQuery } from '@tanstack/preact-query'
import { Card } from '#web/components/card.tsx'
import { counted } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { When } from '#web/components/when.tsx'
import type { Schemas } from '../api.ts'
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

/** What happened to an order, the latest first. */
export function Timeline({ orderId }: { orderId: number }) {
  const { data, error, refetch } = useQuery(timelineQuery(orderId))
  return (
    <Card title="Timeline">
      {data ? (
        <ol class="timeline" aria-label="Timeline">
          {data.toReversed().map((entry, n) => (
            <li key={data.length - n}>
              <span class="timeline-title">{titleOf(entry)}</span>
              {entry.type !== 'created' && entry.items.length > 0 && (
                <span class="timeline-items">
                  {entry.items
                    .map(({ quantity, product_name, reason }) =>
                      reason ? `${quantity} × ${product_name} (${reason})` : `${quantity} × ${product_name}`,
                    )
                    .join(', ')}
                </span>
              )}
              <span class="quiet">
                <When at={entry.created_at} />
                {entry.created_by_name && ` by ${entry.created_by_name}`}
              </span>
            </li>
          ))}
        </ol>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Card>
  )
}
