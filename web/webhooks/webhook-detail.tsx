import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { KeyRound, RotateCcw } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { changesOf } from '#web/components/changes.ts'
import { confirm } from '#web/components/confirm.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { Menu } from '#web/components/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import type { Webhook, WebhooksClient } from './client.ts'
import { Deliveries } from './deliveries.tsx'
import { webhookQuery } from './queries.ts'
import { ReplayDialog } from './replay.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { SendTest } from './send-test.tsx'
import { WebhookStatus } from './status.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { confirmRemoval } from './webhook-list.tsx'

/** One webhook: its settings, and what was sent to it. */
export function WebhookDetail({ client, id }: { client: WebhooksClient; id: string }) {
  const { data: webhook, error, refetch } = useQuery(webhookQuery(client, id))
  return webhook ? (
    <Shown client={client} webhook={webhook} />
  ) : (
    <PendingPage
      title="Webhook"
      breadcrumb={[{ label: 'Webhooks', href: client.address }]}
      error={error}
      retry={refetch}
    />
  )
}

const Shown = ({ client, webhook }: { client: WebhooksClient; webhook: Webhook }) => {
  const { id, url, types, description, is_active, switched_off, created_by, created_at } = webhook
  const queries = useQueryClient()
  const { route } = useLocation()
  const [open, setOpen] = useState<'edit' | 'replay' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setOpen(null)
  const again = async () => {
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
    await queries.invalidateQueries({ queryKey: ['webhook', id] })
  }
  const attempt = (work: () => Promise<unknown>) => work().catch(toastError)

  const rotate = async () => {
    const isSure = await confirm({
      title: 'Rotate the signing secret?',
      text: 'For 24 hours requests carry signatures of both secrets. After that, receivers that still have the old one refuse them.',
      verb: 'Rotate secret',
      danger: true,
    })
    if (isSure) setSecret((await client.rotate(id)).secret)
  }
  const remove = async () => {
    if (!(await confirmRemoval(webhook))) return
    await client.remove(id)
    toast('Webhook deleted')
    // Leave first: this page would go on polling the deleted webhook.
    route(client.address)
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  }
  const turn = async (isOn: boolean) => {
    await client.change(id, { is_active: isOn })
    await again()
    toast(isOn ? 'Webhook switched on' : 'Webhook switched off')
  }

  return (
    <Page
      title={url}
      breadcrumb={[{ label: 'Webhooks', href: client.address }]}
      text={<WebhookStatus is_active={is_active} switched_off={switched_off} />}
      actions={
        <>
          <SendTest client={client} id={id} />
          <Button icon={RotateCcw} onClick={() => setOpen('replay')}>
            Replay
          </Button>
          <Button icon={KeyRound} onClick={() => attempt(rotate)}>
            Rotate secret
          </Button>
          <Menu
            label={`Actions for ${url}`}
            items={[
              { label: 'Edit', onSelect: () => setOpen('edit') },
              is_active
                ? { label: 'Switch off', onSelect: () => attempt(() => turn(false)) }
                : { label: 'Switch on', onSelect: () => attempt(() => turn(true)) },
              { label: 'Delete', danger: true, onSelect: () => attempt(remove) },
            ]}
          />
        </>
      }
    >
      <Card>
        <Facts
          items={[
            ['Events', types.includes('*') ? 'All events' : types.join(', ')],
            ...(description ? ([['Description', description]] as [string, string][]) : []),
            ...(switched_off ? ([['Switched off', switched_off]] as [string, string][]) : []),
            ...(created_by ? ([['Created by', created_by.name]] as [string, string][]) : []),
            ['Created', <When key="created" at={created_at} />],
          ]}
        />
      </Card>
      <section class="stack">
        <h2 class="section-title">Deliveries</h2>
        <Deliveries client={client} id={id} />
      </section>
      {open === 'replay' && <ReplayDialog client={client} id={id} onClose={close} />}
      {open === 'edit' && (
        <Dialog title="Edit webhook" onClose={close}>
          <WebhookForm
            initial={{ url, types, description }}
            eventTypes={client.eventTypes}
            submit="Save changes"
            onCancel={close}
            onSubmit={async (input) => {
              await client.change(id, changesOf({ url, types, description }, input))
              await again()
              close()
              toast('Webhook saved')
            }}
          />
        </Dialog>
      )}
      {secret !== null && (
        <SecretDialog
          title="New signing secret"
          secret={secret}
          text="Give it to the receiver within 24 hours. It is shown only now."
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}
