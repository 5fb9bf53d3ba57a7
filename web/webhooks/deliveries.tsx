import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Inbox } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Drawer } from '#web/components/dialog.tsx'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { Key } from '#web/components/key.tsx'
import { useOffsetPages } from '#web/components/offset-pages.ts'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { Answer } from './answer.tsx'
import type { Delivery, DeliveryStatus, WebhooksClient } from './client.ts'
import { deliveriesQuery } from './queries.ts'
import { DeliveryBadge } from './status.tsx'

const statuses: { value: DeliveryStatus | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'dead', label: 'Failed' },
]

const answerOf = ({ response_status, error }: Delivery) =>
  error ?? (response_status === null ? '–' : `HTTP ${response_status}`)

const columns: Column<Delivery>[] = [
  { key: 'event', title: 'Event', cell: ({ type }) => type },
  { key: 'status', title: 'Status', width: '8rem', cell: (delivery) => <DeliveryBadge {...delivery} /> },
  { key: 'attempts', title: 'Attempts', align: 'end', width: '6rem', cell: ({ attempts }) => count(attempts) },
  { key: 'answer', title: 'Response', minor: true, cell: answerOf },
  { key: 'next', title: 'Next attempt', width: '9rem', minor: true, cell: ({ next_attempt_at }) => (next_attempt_at ? <When at={next_attempt_at} /> : '–') },
  { key: 'created', title: 'Created', width: '9rem', cell: ({ created_at }) => <When at={created_at} /> },
] // biome-ignore format: a table

/** What was sent to a webhook, with attempts and answers. */
export function Deliveries({ client, id }: { client: WebhooksClient; id: string }) {
  const [query, change] = useQueryParams()
  const queries = useQueryClient()
  const [openId, setOpen] = useState<string | null>(null)
  const status = statuses.find(({ value }) => value === query.status)?.value ?? ''
  const { limit, offset, paging } = useOffsetPages(25)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    deliveriesQuery(client, id, { ...(status ? { status } : {}), limit, offset }),
  )
  const opened = data?.deliveries.find((delivery) => delivery.id === openId)

  const retry = async (delivery: Delivery) => {
    try {
      await client.retry(id, delivery.id)
      await queries.invalidateQueries({ queryKey: ['deliveries', id] })
      toast(`${delivery.type} will be sent again`)
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={data?.deliveries}
        rowKey={(delivery) => delivery.id}
        rowName={({ type }) => type}
        onOpen={(delivery) => setOpen(delivery.id)}
        {...(openId ? { currentKey: openId } : {})}
        actions={(delivery) => [{ label: 'Retry', onSelect: () => retry(delivery) }]}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        filtered={status !== ''}
        onClear={() => change({ status: null, page: null })}
        toolbar={
          <Filter
            label="Status"
            value={status}
            options={statuses}
            onChange={(value) => change({ status: value, page: null })}
          />
        }
        paging={paging(data?.total ?? 0)}
        empty={
          <Empty
            icon={Inbox}
            title="Nothing delivered yet"
            text="Every event that is sent here is listed, with its attempts and what was answered. Send a test to try it."
          />
        }
      />
      {opened && (
        <Drawer title={opened.type} onClose={() => setOpen(null)}>
          <Answer
            result={opened}
            before={[
              ['Status', <DeliveryBadge key="status" {...opened} />],
              ['Event', <Key key="event" text={opened.event_id} />],
              ['Created', <When key="created" at={opened.created_at} />],
              ['Attempts', count(opened.attempts)],
              ...(opened.next_attempt_at
                ? ([['Next attempt', <When key="next" at={opened.next_attempt_at} />]] as [
                    string,
                    preact.JSX.Element,
                  ][])
                : []),
            ]}
          />
          <div class="form-actions">
            <Button kind="primary" onClick={() => retry(opened)}>
              Retry
            </Button>
          </div>
        </Drawer>
      )}
    </>
  )
}
