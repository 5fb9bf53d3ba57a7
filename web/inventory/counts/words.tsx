import { Badge, type Tone } from '#web/components/badge.tsx'
import type { CountLine, CountStatus } from '../api.ts'

const names: Record<CountStatus, { label: string; tone: Tone }> = {
  open: { label: 'Counting', tone: 'accent' },
  review: { label: 'In review', tone: 'warn' },
  posted: { label: 'Posted', tone: 'good' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
}

export const statusOptions = Object.entries(names).map(([value, { label }]) => ({ value, label }))

export const CountBadge = ({ status }: { status: CountStatus }) => (
  <Badge tone={names[status].tone}>{names[status].label}</Badge>
)

/** What was counted, in words: the product, or one of its batches. */
export const nameOf = ({ product_name, batch_number }: CountLine) =>
  batch_number === null ? product_name : `${product_name}, batch ${batch_number}`
