import type { Schemas } from '../api.ts'
import { StatusTabs } from '../shared/status-tabs.tsx'
import { statuses } from './words.tsx'

/** Orders by status; and the lines that wait for stock. */
export const OrderTabs = ({ counts }: { counts?: Schemas['OrderCounts'] | undefined }) => (
  <StatusTabs
    label="Order status"
    list="/console/orders"
    statuses={statuses}
    counts={counts}
    special={{ label: 'To ship', param: 'to_ship', count: counts?.to_ship }}
    more={[{ label: 'Backorders', href: '/console/orders/backorders' }]}
  />
)
