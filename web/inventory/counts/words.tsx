import { Badge, type Tone } from '#web/components/badge.tsx'
import { counted } from '#web/components/format.ts'
import type { CountLine, CountStatus, CountSummary } from '../api.ts'
import { amount } from '../shared/amounts.ts'

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

const worth = (units: number, value: string, what: string) =>
  units > 0 && `${counted(units, 'unit')} ${what}, worth ${amount(value)}`

/** What the differences of a count add up to, in units and in money. */
export const sumOf = ({ units_missing, units_found, value_missing, value_found }: CountSummary) =>
  [worth(units_missing, value_missing, 'missing'), worth(units_found, value_found, 'found')]
    .filter(Boolean)
    .join('; ')
