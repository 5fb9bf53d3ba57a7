import { useQuery } from '@tanstack/preact-query'
import { Database, Globe, Lock, Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { bytes, count } from '#web/components/format.ts'
import { useOffsetPages } from '#web/components/offset-pages.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Bucket } from '../api.ts'
import { NewBucket } from './new-bucket.tsx'
import { bucketsQuery } from './queries.ts'

const columns: Column<Bucket>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'visibility', title: 'Visibility', width: '8rem', cell: (bucket) => <Visibility {...bucket} /> },
  {
    key: 'objects',
    title: 'Objects',
    align: 'end',
    width: '8rem',
    cell: (bucket) => count(bucket.object_count),
  },
  {
    key: 'size',
    title: 'Size',
    align: 'end',
    width: '11rem',
    cell: (bucket) => <Held {...bucket} />,
  },
  {
    key: 'versioning',
    title: 'Versioning',
    width: '8rem',
    minor: true,
    cell: ({ versioning_enabled }) => (versioning_enabled ? 'On' : <span class="quiet">Off</span>),
  },
  {
    key: 'created',
    title: 'Created',
    width: '10rem',
    minor: true,
    cell: (bucket) => <When at={bucket.created_at} />,
  },
]

/** What a bucket holds, and of how much if it has a quota. */
export const Held = ({ total_size_bytes: held, storage_quota_bytes: quota }: Bucket) => (
  <>
    {bytes(held)}
    {quota !== null && <span class="quiet"> of {bytes(quota)}</span>}
  </>
)

export const Visibility = ({ visibility }: Pick<Bucket, 'visibility'>) =>
  visibility === 'public' ? (
    <Badge tone="warn">
      <Globe size={12} aria-hidden="true" />
      Public
    </Badge>
  ) : (
    <Badge>
      <Lock size={12} aria-hidden="true" />
      Private
    </Badge>
  )

export function Buckets() {
  const { can } = useSession()
  const { data, error, refetch } = useQuery(bucketsQuery)
  const [search, setSearch] = useQueryState('search')
  const [isNew, setNew] = useState(false)
  const found = data?.filter(({ name }) => name.includes(search.trim().toLowerCase()))
  // The API gives all buckets at once; only a part of many is shown.
  const { offset, limit, paging } = useOffsetPages(50)
  const newBucket = can('bucket.create') && (
    <Button act kind="primary" icon={Plus} onClick={() => setNew(true)}>
      New bucket
    </Button>
  )
  return (
    <Page title="Buckets" actions={data && data.length > 0 && newBucket}>
      <DataTable
        label="Buckets"
        columns={columns}
        rows={found?.slice(offset, offset + limit)}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/buckets/${id}`}
        paging={paging(found?.length ?? 0)}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={
          data && data.length > 0 && <SearchField label="Search buckets" value={search} onInput={setSearch} />
        }
        empty={
          <Empty
            icon={Database}
            title="No buckets yet"
            text="A bucket holds objects: files with a key, which may contain slashes like folders."
            action={newBucket}
          />
        }
      />
      {isNew && <NewBucket onClose={() => setNew(false)} />}
    </Page>
  )
}
