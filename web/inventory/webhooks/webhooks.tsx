import { WebhookList } from '#web/webhooks/webhook-list.tsx'
import { webhooks } from './client.ts'

export function Webhooks() {
  return <WebhookList client={webhooks} />
}
