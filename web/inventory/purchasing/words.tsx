import { Badge, type Tone } from '#web/components/badge.tsx'
import type { PurchaseOrderStatus } from '../api.ts'
import { capital } from '../shared/words.ts'

export const statuses: PurchaseOrderStatus[] = ['draft', 'ordered', 'partial', 'received', 'cancelled']

const tones: Record<PurchaseOrderStatus, Tone> = {
  draft: 'warn',
  ordered: 'accent',
  partial: 'accent',
  received: 'good',
  cancelled: 'quiet',
}

export const StatusBadge = ({ status }: { status: PurchaseOrderStatus }) => (
  <Badge tone={tones[status]}>{capital(status)}</Badge>
)

/** More may still arrive, and the order may be cancelled. */
export const isOpen = (status: PurchaseOrderStatus) => ['draft', 'ordered', 'partial'].includes(status)

/** The supplier has been asked to deliver. */
export const isAwaited = (status: PurchaseOrderStatus) => ['ordered', 'partial'].includes(status)
