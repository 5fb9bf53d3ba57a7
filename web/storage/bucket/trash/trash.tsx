import { useQuery } from '@tanstack/preact-query'
import { RotateCcw, Trash2 } from 'lucide-preact'
import { Button } from '#web/components/button.tsx'
import { useCursorPages } from '#web/components/cursor-pages.ts'
import { bytes } from '#web/components/format.ts'
import type { MenuItem } from '#web/components/menu.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { BucketTab } from '#web/storage/bucket-tab.ts'
import { purgeObjects, recoverObjects } from './actions.ts'
import { type Trashed, trashQuery } from './queries.ts'

const columns: Column<Trashed>[] = [
  { key: 'name', title: 'Name', cell: ({ object_key }) => <span class="mono">{object_key}</span> },
  { key: 'size', title: 'Size', align: 'end', width: '7rem', cell: (object) => bytes(object.size_bytes) },
  {
    key: 'deleted',
    title: 'Deleted',
    width: '10rem',
    cell: (object) => <When at={object.deleted_at} />,
  },
  {
    key: 'goes',
    title: 'Goes for good',
    width: '10rem',
    cell: (object) => <When at={object.expires_at} />,
  },
]

/** What was deleted in a bucket and can still be brought back. */
export function Trash({ bucket }: BucketTab) {
  const { can } = useSession()
  const [search, setSearch] = useQueryState('search')
  const [size, setSize] = useQueryState('rows', '50')
  const { cursor, hasPrevious, goNext, goBack } = useCursorPages()
  const limit = Number(size) || 50
  const { data, error, isPlaceholderData, refetch } = useQuery(
    trashQuery(bucket.id, { search, limit, cursor }),
  )

  const actions = (object: Trashed): MenuItem[] => [
    ...(can('object.recover') && object.is_recoverable
      ? [{ label: 'Recover', icon: RotateCcw, onSelect: () => recoverObjects(bucket.id, [object]) }]
      : []),
    ...(can('object.purge')
      ? [
          {
            label: 'Delete forever',
            icon: Trash2,
            danger: true,
            onSelect: () => purgeObjects(bucket.id, [object]),
          },
        ]
      : []),
  ]

  const ofSelection = (objects: Trashed[], clear: () => void) => {
    const then = (act: () => Promise<unknown>) => () => void act().then(clear)
    const recoverable = objects.filter(({ is_recoverable }) => is_recoverable)
    return (
      <>
        {can('object.recover') && recoverable.length > 0 && (
          <Button icon={RotateCcw} onClick={then(() => recoverObjects(bucket.id, recoverable))}>
            Recover
          </Button>
        )}
        {can('object.purge') && (
          <Button kind="danger" icon={Trash2} onClick={then(() => purgeObjects(bucket.id, objects))}>
            Delete forever
          </Button>
        )}
      </>
    )
  }

  return (
    <>
      <p class="quiet note">
        Deleted objects stay here until the lifecycle rules of the bucket remove them. Earlier versions of an
        object are in its panel on the tab Objects.
      </p>
      <DataTable
        label="Deleted objects"
        columns={columns}
        rows={data?.objects}
        rowKey={({ id }) => id}
        rowName={({ object_key }) => object_key}
        actions={actions}
        selection={{ actions: ofSelection }}
        paging={{
          kind: 'cursor',
          hasMore: Boolean(data?.next_cursor),
          hasPrevious,
          onNext: () => data?.next_cursor && goNext(data.next_cursor),
          onPrevious: goBack,
          size: limit,
          onSize: (rows) => setSize(String(rows)),
        }}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={<SearchField label="Search deleted objects" value={search} onInput={setSearch} />}
        empty={
          <Empty
            icon={Trash2}
            title="The trash is empty"
            text="Objects that are deleted can be recovered here until they go for good."
          />
        }
      />
    </>
  )
}
