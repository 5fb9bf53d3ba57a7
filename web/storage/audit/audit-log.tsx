import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { EntryPanel } from '#web/audit/entry-panel.tsx'
import { DateFilter, Filter } from '#web/components/filter.tsx'
import { useOffsetPages } from '#web/components/offset-pages.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { ExportButton } from './export-button.tsx'
import { filterOf } from './filter.ts'
import { type AuditEntry, auditQuery, choicesQuery } from './queries.ts'

/** What an entry is about, as far as it has a name. */
const aboutOf = ({ payload }: AuditEntry) => {
  const name = payload.objectKey ?? payload.name ?? payload.label ?? payload.email
  return typeof name === 'string' ? name : ''
}

export function AuditLog() {
  const [query, change] = useQueryParams()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const filter = filterOf(query)
  const { limit, offset, paging } = useOffsetPages(50)
  const { data, error, isPlaceholderData, refetch } = useQuery(auditQuery(filter, { limit, offset }))
  const { data: choices } = useQuery(choicesQuery)
  const people = new Map(choices?.actors.map(({ id, full_name }) => [id, full_name]))
  const actorOf = ({ actor_user_id }: AuditEntry) =>
    actor_user_id === null ? 'Nobody' : (people.get(actor_user_id) ?? 'Former member')
  const set = (name: string) => (value: string) => change({ [name]: value, page: null })

  const columns: Column<AuditEntry>[] = [
    { key: 'action', title: 'Action', width: '13rem', cell: ({ action }) => action },
    { key: 'about', title: 'About', cell: (entry) => <span class="one-line" title={aboutOf(entry)}>{aboutOf(entry)}</span> },
    { key: 'who', title: 'Who', width: '11rem', cell: (entry) => actorOf(entry) },
    { key: 'address', title: 'Address', width: '10rem', minor: true, cell: ({ ip_address }) => ip_address || '–' },
    { key: 'when', title: 'When', width: '9rem', cell: ({ created_at }) => <When at={created_at} /> },
  ] // biome-ignore format: a table

  return (
    <Page title="Audit log" actions={<ExportButton filter={filter} />}>
      <DataTable
        label="Audit log"
        columns={columns}
        rows={data?.rows}
        rowKey={({ id }) => id}
        rowName={({ action }) => action}
        onOpen={setOpened}
        {...(opened ? { currentKey: opened.id } : {})}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        filtered={Object.keys(filter).length > 0}
        onClear={() => change({ search: null, action: null, person: null, from: null, to: null, page: null })}
        toolbar={
          <>
            <SearchField label="Search object keys" value={query.search ?? ''} onInput={set('search')} />
            <Filter
              label="Action"
              value={query.action ?? ''}
              options={[
                { value: '', label: 'All actions' },
                ...(choices?.actions.map(({ action }) => ({ value: action, label: action })) ?? []),
              ]}
              onChange={set('action')}
            />
            <Filter
              label="Person"
              value={query.person ?? ''}
              options={[
                { value: '', label: 'Everybody' },
                ...(choices?.actors.map(({ id, full_name }) => ({ value: id, label: full_name })) ?? []),
              ]}
              onChange={set('person')}
            />
            <DateFilter label="From" value={query.from ?? ''} onChange={set('from')} />
            <DateFilter label="To" value={query.to ?? ''} onChange={set('to')} />
          </>
        }
        paging={paging(data?.total ?? 0)}
      />
      {opened && (
        <EntryPanel
          entry={{ ...opened, details: opened.payload, actor: actorOf(opened) }}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  )
}
