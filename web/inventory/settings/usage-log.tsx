import { useQuery } from '@tanstack/preact-query'
import { ScrollText } from 'lucide-preact'
import { Badge } from '#web/components/badge.tsx'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useListPages } from '../shared/list-pages.ts'
import { keysQuery, type UsageEntry, usageQuery } from './queries.ts'

const toneOf = (status: number) => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

const columns: Column<UsageEntry>[] = [
  { key: 'request', title: 'Request', cell: ({ method, path }) => <code class="request">{method} {path}</code> },
  { key: 'status', title: 'Status', width: '6rem', cell: ({ status_code: code }) => <Badge tone={toneOf(code)}>{code}</Badge> },
  { key: 'key', title: 'Key', width: '12rem', cell: ({ key_name }) => key_name },
  { key: 'duration', title: 'Duration', align: 'end', width: '7rem', minor: true, cell: ({ response_time_ms: ms }) => `${count(ms)} ms` },
  { key: 'address', title: 'Address', width: '10rem', minor: true, cell: ({ ip_address }) => ip_address },
  { key: 'when', title: 'When', width: '9rem', cell: ({ created_at }) => <When at={created_at} /> },
] // biome-ignore format: a table

const outcomes = [
  { value: '', label: 'All requests' },
  { value: 'true', label: 'Failed' },
]

/** What programs did with the keys of the company. */
export function UsageLog() {
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const { data: keys } = useQuery(keysQuery)
  const api_key_id = Number(query.key) || undefined
  const failed = query.failed === 'true' || undefined
  const { data, error, isPlaceholderData, refetch } = useQuery(
    usageQuery({ api_key_id, failed, page, limit }),
  )
  const set = (changes: Record<string, string | null>) => change({ ...changes, page: null })
  const isFiltered = api_key_id !== undefined || failed === true
  return (
    <DataTable
      label="Usage log"
      columns={columns}
      rows={data?.logs}
      rowKey={({ id }) => String(id)}
      rowName={({ method, path }) => `${method} ${path}`}
      loading={isPlaceholderData}
      error={error}
      retry={refetch}
      paging={pagingOf(data?.total)}
      filtered={isFiltered}
      onClear={() => set({ key: null, failed: null })}
      toolbar={
        (isFiltered || (data?.total ?? 0) > 0) && (
          <>
            <Filter
              label="Key"
              value={query.key ?? ''}
              options={[
                { value: '', label: 'All keys' },
                ...(keys ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange={(key) => set({ key })}
            />
            <Filter
              label="Outcome"
              value={failed ? 'true' : ''}
              options={outcomes}
              onChange={(failed) => set({ failed })}
            />
          </>
        )
      }
      empty={
        <Empty
          icon={ScrollText}
          title="No requests yet"
          text="Each request with a key is listed here for 90 days, also those that were refused."
        />
      }
    />
  )
}
