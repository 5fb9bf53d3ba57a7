import { Badge, type Tone } from '#web/components/badge.tsx'
import type { Serial } from '../api.ts'
import { daysUntil, day as dayText } from '../shared/days.ts'

const soonDays = 30
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** "in 12 days", marked while there is something to do about it; a batch that never expires has none. */
export const Expiry = ({ day }: { day: string | null }) => {
  if (!day) return <span class="quiet">None</span>
  const days = daysUntil(day)
  const time = <time dateTime={day}>{dayText(day)}</time>
  if (days > soonDays) return time
  return (
    <span class="expiry">
      {time}{' '}
      <Badge tone={days < 0 ? 'bad' : 'warn'}>{days < 0 ? 'Expired' : relative.format(days, 'day')}</Badge>
    </span>
  )
}

type Status = Serial['status']

export const statusNames: Record<Status, string> = {
  in_stock: 'In stock',
  reserved: 'Reserved',
  sold: 'Sold',
  returned: 'Returned',
  scrapped: 'Scrapped',
}
const tones: Record<Status, Tone> = {
  in_stock: 'good',
  reserved: 'accent',
  sold: 'quiet',
  returned: 'warn',
  scrapped: 'quiet',
}

export const SerialStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{statusNames[status]}</Badge>
)

/** Where a person may take a serial, as the service decides it. */
export const steps: Record<Status, { to: Status; label: string }[]> = {
  in_stock: [
    { to: 'reserved', label: 'Reserve' },
    { to: 'scrapped', label: 'Scrap' },
  ],
  reserved: [
    { to: 'in_stock', label: 'Release' },
    { to: 'sold', label: 'Mark as sold' },
  ],
  sold: [{ to: 'returned', label: 'Mark as returned' }],
  returned: [
    { to: 'in_stock', label: 'Back to stock' },
    { to: 'scrapped', label: 'Scrap' },
  ],
  scrapped: [],
}
