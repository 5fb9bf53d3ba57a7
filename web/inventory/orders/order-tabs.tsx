import { useLocation } from 'preact-iso'
import { withQuery } from '#web/components/query-state.ts'
import { Tabs } from '#web/components/tabs.tsx'
import type { Schemas } from '../api.ts'
import { capital, statuses } from './words.tsx'

const list = '/console/orders'
const backorders = '/console/orders/backorders'

/** Orders by status, under the filters that are set; and the lines that wait for stock. */
export function OrderTabs({ counts }: { counts?: Schemas['OrderCounts'] | undefined }) {
  const { path, url, query } = useLocation()
  const isList = path === list
  /** The current tab is the current address, whatever page of it is shown. */
  const tab = (label: string, chosen: { status?: string; to_ship?: boolean }, number?: number) => {
    const isCurrent =
      isList &&
      (query.status ?? '') === (chosen.status ?? '') &&
      (query.to_ship === 'true') === !!chosen.to_ship
    const base = isList ? url : list
    return {
      label,
      href: isCurrent ? url : withQuery(base, { status: null, to_ship: null, page: null, ...chosen }),
      count: number,
    }
  }
  return (
    <Tabs
      label="Order status"
      items={[
        tab('All', {}, counts?.total),
        tab('To ship', { to_ship: true }, counts?.to_ship),
        ...statuses.map((status) => tab(capital(status), { status }, counts?.by_status[status])),
        { label: 'Backorders', href: backorders },
      ]}
    />
  )
}
