import { useLocation } from 'preact-iso'
import { withQuery } from '#web/components/query-state.ts'
import { type Tab, Tabs } from '#web/components/tabs.tsx'
import { capital } from './words.ts'

type Props<Status extends string> = {
  label: string
  /** The address of the list. */
  list: string
  statuses: readonly Status[]
  counts: { total: number; by_status: Record<Status, number> } | undefined
  /** A filter that has a tab of its own: "To ship". */
  special: { label: string; param: string; count: number | undefined }
  /** Tabs that are other lists. */
  more?: Tab[]
}

/** Orders by status, under the filters that are set. */
export function StatusTabs<Status extends string>(props: Props<Status>) {
  const { label, list, statuses, counts, special, more = [] } = props
  const { path, url, query } = useLocation()
  const isList = path === list
  /** The current tab is the current address, whatever page of it is shown. */
  const tab = (label: string, chosen: { status?: string; isSpecial?: boolean }, count?: number): Tab => {
    const isCurrent =
      isList &&
      (query.status ?? '') === (chosen.status ?? '') &&
      (query[special.param] === 'true') === !!chosen.isSpecial
    const changes = { status: chosen.status, [special.param]: chosen.isSpecial, page: null }
    return { label, href: isCurrent ? url : withQuery(isList ? url : list, changes), count }
  }
  return (
    <Tabs
      label={label}
      items={[
        tab('All', {}, counts?.total),
        tab(special.label, { isSpecial: true }, special.count),
        ...statuses.map((status) => tab(capital(status), { status }, counts?.by_status[status])),
        ...more,
      ]}
    />
  )
}
