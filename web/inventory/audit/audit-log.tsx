import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { EntryPanel } from '#web/audit/entry-panel.tsx'
import { useCursorPages } from '#web/components/cursor-pages.ts'
import { DateFilter, Filter } from '#web/components/filter.tsx'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { usersQuery } from '../settings/queries.ts'
import { type AuditEntry, actions, auditQuery, filterOf } from './queries.ts'

/** What an entry is about, as far as it has a name. */
const aboutOf = ({ details, resource_type, resource_id }: AuditEntry) => {
  const name =
    details.name ?? details.email ?? details.sku ?? details.host ?? details.batch_number ?? details.po_number
  return typeof name === 'string' ? name : `${resource_type} ${resource_id ?? ''}`
}

const actorOf = ({ user_name, key_name }: AuditEntry) =>
  user_name ?? (key_name ? `Key ${key_name}` : 'The operator')

const columns: Column<AuditEntry>[] = [
  { key: 'action', title: 'Action', width: '14rem', cell: ({ action }) => action },
  { key: 'about', title: 'About', cell: (entry) => <span class="one-line" title={aboutOf(entry)}>{aboutOf(entry)}</span> },
  { key: 'who', title: 'Who', width: '11rem', cell: (entry) => actorOf(entry) },
  { key: 'address', title: 'Address', width: '10rem', minor: true, cell: ({ ip_address }) => ip_address || '–' },
  { key: 'when', title: 'When', width: '9rem', cell: ({ created_at }) => <When at={created_at} /> },
] // biome-ignore format: a table

/** Who changed what. What stock, orders and serials go through is on their own pages. */
export function AuditLog() {
  const [query, change] = useQueryParams()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const pages = useCursorPages()
  const filter = filterOf(query)
  const { data, error, isPlaceholderData, refetch } = useQuery(auditQuery(filter, pages.cursor))
  const { data: users } = useQuery(usersQuery)
  const set = (name: string) => (value: string) => change({ [name]: value, cursor: null })

  return (
    <Page title="Audit log">
      <DataTable
        label="Audit log"
        columns={columns}
        rows={data?.audit_logs}
        rowKey={({ id }) => String(id)}
        rowName={({ action }) => action}
        onOpen={setOpened}
        {...(opened ? { currentKey: String(opened.id) } : {})}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        filtered={Object.keys(filter).length > 0}
        onClear={() => change({ action: null, person: null, from: null, to: null, cursor: null })}
        toolbar={
          <>
            <Filter
              label="Action"
              value={query.action ?? ''}
              options={[
                { value: '', label: 'All actions' },
                ...actions.map((action) => ({ value: action, label: action })),
              ]}
              onChange={set('action')}
            />
            <Filter
              label="Person"
              value={query.person ?? ''}
              options={[
                { value: '', label: 'Everybody' },
                ...(users?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []),
              ]}
              onChange={set('person')}
            />
            <DateFilter label="From" value={query.from ?? ''} onChange={set('from')} />
            <DateFilter label="To" value={query.to ?? ''} onChange={set('to')} />
          </>
        }
        paging={{
          kind: 'cursor',
          hasMore: Boolean(data?.next_cursor),
          hasPrevious: pages.hasPrevious,
          onNext: () => data?.next_cursor && pages.goNext(data.next_cursor),
          onPrevious: pages.goBack,
        }}
      />
      {opened && <EntryPanel entry={{ ...opened, actor: actorOf(opened) }} onClose={() => setOpened(null)} />}
    </Page>
  )
}
