import { useQuery } from '@tanstack/preact-query'
import { Button } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { When } from '#web/components/when.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { none } from '../shared/none.tsx'
import { TimelineList } from '../shared/timeline-list.tsx'
import { happeningOf } from './life.tsx'
import { lifeQuery, serialQuery } from './queries.ts'
import { useSerialSteps } from './serial-steps.tsx'
import { home } from './tracking-tabs.tsx'
import { SerialStatus } from './words.tsx'

const breadcrumb = [home, { label: 'Serials', href: `${home.href}/serials` }]

/** A unit with a number of its own: what it is now, and how it got there. */
export function SerialPage({ params }: ScreenProps) {
  const id = Number(params.serialId)
  const { data: serial, error, refetch } = useQuery(serialQuery(id))
  const life = useQuery(lifeQuery(id))
  const { stepsOf, question } = useSerialSteps()
  if (!serial) return <PendingPage title="Serial" breadcrumb={breadcrumb} error={error} retry={refetch} />
  const order = life.data?.findLast(({ order_id }) => order_id === serial.order_id)
  return (
    <Page
      title={serial.serial_number}
      breadcrumb={breadcrumb}
      text={<SerialStatus status={serial.status} />}
      actions={stepsOf(serial).map(({ label, danger, onSelect }) => (
        <Button key={label} kind={danger ? 'danger' : 'plain'} onClick={onSelect}>
          {label}
        </Button>
      ))}
    >
      <div class="columns">
        <Card title="Details">
          <Facts
            items={[
              [
                'Product',
                <a key="product" href={`/console/products/${serial.product_id}`}>
                  {serial.product_name}
                </a>,
              ],
              ['SKU', <code key="sku">{serial.sku}</code>],
              ['Warehouse', serial.warehouse_name],
              ...(serial.order_id && order
                ? [['With', happeningOf(order).detail] as [string, ReturnType<typeof happeningOf>['detail']]]
                : []),
              ['Notes', serial.notes ?? none],
              ['Received', <When key="received" at={serial.created_at} />],
            ]}
          />
        </Card>
        <Card title="Life">
          {life.data ? (
            <TimelineList label="Life" entries={life.data.map(happeningOf)} />
          ) : life.error ? (
            <ErrorState error={life.error} retry={life.refetch} />
          ) : (
            <Skeleton lines={4} />
          )}
        </Card>
      </div>
      {question}
    </Page>
  )
}
