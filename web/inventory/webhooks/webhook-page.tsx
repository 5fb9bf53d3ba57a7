import type { ScreenProps } from '#web/frame/console.ts'
import { WebhookDetail } from '#web/webhooks/webhook-detail.tsx'
import { webhooks } from './client.ts'

export function WebhookPage({ params }: ScreenProps) {
  return <WebhookDetail client={webhooks} id={params.webhookId ?? ''} />
}
