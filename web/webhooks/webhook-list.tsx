import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import type { MenuItem } from '#web/components/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import type { Webhook, WebhooksClient } from './client.ts'
import { webhooksQuery } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookStatus } from './status.tsx'
import { WebhookForm } from './webhook-form.tsx'

const columns: Column<Webhook>[] = [
  { key: 'url', title: 'URL', cell: ({ url }) => url },
  {
    key: 'types',
    title: 'Events',
    width: '16rem',
    cell: ({ types }) => <span class="quiet">{types.includes('*') ? 'All events' : types.join(', ')}</span>,
  },
  { key: 'status', title: 'Status', width: '8rem', cell: (webhook) => <WebhookStatus {...webhook} /> },
  {
    key: 'by',
    title: 'Created by',
    width: '10rem',
    minor: true,
    cell: ({ created_by }) => created_by?.name ?? '–',
  },
  {
    key: 'created',
    title: 'Created',
    width: '9rem',
    minor: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
]

/** Where events are sent. */
export function WebhookList({ client }: { client: WebhooksClient }) {
  const { data, error, refetch } = useQuery(webhooksQuery(client))
  const queries = useQueryClient()
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const again = () => queries.invalidateQueries({ queryKey: ['webhooks'] })

  const turn = async (webhook: Webhook, is_active: boolean) => {
    try {
      await client.change(webhook.id, { is_active })
      await again()
      toast(is_active ? 'Webhook switched on' : 'Webhook switched off', {
        undo: () => client.change(webhook.id, { is_active: !is_active }).then(again),
      })
    } catch (error) {
      toastError(error)
    }
  }
  const remove = async (webhook: Webhook) => {
    if (!(await confirmRemoval(webhook))) return
    try {
      await client.remove(webhook.id)
      await again()
      toast('Webhook deleted')
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (webhook: Webhook): MenuItem[] => [
    { label: 'Open', href: `${client.address}/${webhook.id}` },
    webhook.is_active
      ? { label: 'Switch off', onSelect: () => turn(webhook, false) }
      : { label: 'Switch on', onSelect: () => turn(webhook, true) },
    { label: 'Delete', danger: true, onSelect: () => remove(webhook) },
  ]

  const newWebhook = (
    <Button act kind="primary" icon={Plus} onClick={() => setNew(true)}>
      New webhook
    </Button>
  )
  return (
    <Page title="Webhooks" actions={data && data.length > 0 && newWebhook}>
      <DataTable
        label="Webhooks"
        columns={columns}
        rows={data}
        rowKey={({ id }) => id}
        rowName={({ url }) => url}
        hrefOf={({ id }) => `${client.address}/${id}`}
        actions={actions}
        error={error}
        retry={refetch}
        empty={
          <Empty
            icon={WebhookIcon}
            title="No webhooks yet"
            text="A webhook receives a signed request whenever something happens, with retries until it has arrived."
            action={newWebhook}
          />
        }
      />
      {isNew && (
        <Dialog title="New webhook" onClose={() => setNew(false)}>
          <WebhookForm
            initial={{ url: '', types: ['*'], description: null }}
            eventTypes={client.eventTypes}
            submit="Create webhook"
            onCancel={() => setNew(false)}
            onSubmit={async (input, { idempotencyKey }) => {
              const created = await client.create(input, idempotencyKey)
              await again()
              setNew(false)
              setSecret(created.secret)
            }}
          />
        </Dialog>
      )}
      {secret !== null && (
        <SecretDialog
          title="Signing secret"
          secret={secret}
          text="Receivers verify the signature of each request with this secret. It is shown only now."
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}

export const confirmRemoval = ({ url }: Webhook) =>
  confirm({
    title: 'Delete webhook?',
    text: `Nothing will be sent to ${url} any more. Deliveries that are pending, and the log of deliveries, are lost.`,
    verb: 'Delete webhook',
    danger: true,
  })
