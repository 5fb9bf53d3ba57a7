import { Badge } from '#web/components/badge.tsx'
import type { Delivery, Webhook } from './client.ts'

export const WebhookStatus = ({ is_active, switched_off }: Pick<Webhook, 'is_active' | 'switched_off'>) =>
  is_active ? (
    <Badge tone="good">On</Badge>
  ) : switched_off ? (
    <Badge tone="bad">Switched off</Badge>
  ) : (
    <Badge>Off</Badge>
  )

const tones = { pending: 'warn', succeeded: 'good', dead: 'bad' } as const
const words = { pending: 'Pending', succeeded: 'Succeeded', dead: 'Failed' }

export const DeliveryBadge = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={tones[status]}>{words[status]}</Badge>
)
