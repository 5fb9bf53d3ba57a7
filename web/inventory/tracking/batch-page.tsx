import { useQuery } from '@tanstack/preact-query'
import { Pencil, Printer, Tag } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { count, fullTime } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { useSession } from '#web/frame/session.ts'
import type { Batch, Schemas } from '../api.ts'
import { day } from '../shared/days.ts'
import { Figures } from '../shared/figures.tsx'
import { none } from '../shared/none.tsx'
import { EditBatch } from './edit-batch.tsx'
import { traceQuery } from './queries.ts'
import { Receipts, Shipments } from './trace-tables.tsx'
import { home } from './tracking-tabs.tsx'
import { Expiry } from './words.tsx'

/** Where a batch came from and who has it: for a recall, on the screen and on paper. */
export function BatchPage({ params }: ScreenProps) {
  const { data: trace, error, refetch } = useQuery(traceQuery(Number(params.batchId)))
  if (!trace) return <PendingPage title="Batch" breadcrumb={[home]} error={error} retry={refetch} />
  const { batch, receipts, shipments } = trace
  return (
    <Page
      title={`Batch ${batch.batch_number}`}
      breadcrumb={[home]}
      text={batch.product_name}
      actions={<Actions batch={batch} />}
    >
      <Sums trace={trace} />
      <Card title="Details">
        <Facts
          items={[
            [
              'Product',
              <a key="product" href={`/console/products/${batch.product_id}`}>
                {batch.product_name}
              </a>,
            ],
            ['SKU', <code key="sku">{batch.sku}</code>],
            ['Lot', batch.lot_number ?? none],
            ['Made', batch.manufacture_date ? day(batch.manufacture_date) : none],
            ['Expires', <Expiry key="expires" day={batch.expiry_date} />],
            [
              'On hand in',
              batch.stock.map((row) => `${row.warehouse_name}: ${count(row.quantity)}`).join(', ') || none,
            ],
            ['Notes', batch.notes ?? none],
          ]}
        />
      </Card>
      <section class="trace-part">
        <h2>Received from</h2>
        <Receipts rows={receipts} />
      </section>
      <section class="trace-part">
        <h2>Shipped to</h2>
        <Shipments rows={shipments} />
      </section>
      <p class="print-only quiet">Printed {fullTime(new Date())}</p>
    </Page>
  )
}

/** They add up: received − shipped + other changes = on hand. */
const Sums = ({ trace }: { trace: Schemas['BatchTrace'] }) => (
  <Figures
    items={[
      ['Received', count(trace.total_received)],
      ['With customers', count(trace.total_shipped)],
      ['Other changes', count(trace.other_changes)],
      ['On hand', count(trace.on_hand)],
    ]}
  />
)

const Actions = ({ batch }: { batch: Batch }) => {
  const { can } = useSession()
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <LinkButton icon={Tag} href={`/console/tracking/batches/${batch.id}/labels`}>
        Print labels
      </LinkButton>
      {can('tracking.write') && (
        <Button icon={Pencil} onClick={() => setEditing(true)}>
          Edit
        </Button>
      )}
      <Button icon={Printer} onClick={() => print()}>
        Print
      </Button>
      {isEditing && <EditBatch batch={batch} onClose={() => setEditing(false)} />}
    </>
  )
}
