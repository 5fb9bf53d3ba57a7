import { Badge, type Tone } from '#web/components/badge.tsx'
import type { OrderStatus, OrderSummary } from '../api.ts'
import { capital } from '../shared/words.ts'

export const statuses: OrderStatus[] = ['pending', 'paid', 'fulfilling', 'fulfilled', 'shipped', 'cancelled']

const tones: Record<OrderStatus, Tone> = {
  pending: 'warn',
  paid: 'accent',
  fulfilling: 'accent',
  fulfilled: 'good',
  shipped: 'good',
  cancelled: 'quiet',
}

export const StatusBadge = ({ status }: { status: OrderStatus }) => (
  <Badge tone={tones[status]}>{capital(status)}</Badge>
)

const channelNames: Record<OrderSummary['channel'], string> = {
  manual: 'Manual',
  api: 'API',
  pos: 'Point of sale',
  b2b: 'B2B',
}
export const channelName = (channel: OrderSummary['channel']) => channelNames[channel]
export const channelOptions = Object.entries(channelNames).map(([value, label]) => ({ value, label }))

/** Where an order may go from here by a button of its own. */
export const nextSteps: Record<OrderStatus, { to: OrderStatus; label: string }[]> = {
  pending: [
    { to: 'paid', label: 'Mark as paid' },
    { to: 'fulfilling', label: 'Start fulfilling' },
  ],
  paid: [{ to: 'fulfilling', label: 'Start fulfilling' }],
  fulfilling: [],
  fulfilled: [{ to: 'shipped', label: 'Mark as shipped' }],
  shipped: [],
  cancelled: [],
}

/** Not shipped whole yet: units may still leave, and the order may be cancelled. */
export const isOpen = (status: OrderStatus) => ['pending', 'paid', 'fulfilling'].includes(status)
export const canReturn = (status: OrderStatus) => ['fulfilling', 'fulfilled', 'shipped'].includes(status)
