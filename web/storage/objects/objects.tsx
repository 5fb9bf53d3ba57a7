import { useQuery } from '@tanstack/preact-query'
import { Copy, Download, FolderInput, FolderPlus, Link2, Pencil, Trash2, Upload } from 'lucide-preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { useCursorPages } from '#web/components/cursor-pages.ts'
import { count, counted } from '#web/components/format.ts'
import { Menu, type MenuItem } from '#web/components/menu.tsx'
import { useQueryParams, withQuery } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import { useSession } from '#web/frame/session.ts'
import type { BucketTab } from '../bucket-tab.ts'
import { chosenFiles, droppedFiles } from '../uploads/chosen.ts'
import { attempt, removeObjects } from './actions.ts'
import { addUploads } from './add-uploads.ts'
import { chooseFiles } from './choose-files.ts'
import { CopyLink } from './copy-link.tsx'
import { CopyOrMove } from './copy-or-move.tsx'
import { downloadAll } from './download.ts'
import { DropZone } from './drop-zone.tsx'
import { FolderWay } from './folder-way.tsx'
import { Interrupted } from './interrupted.tsx'
import { useLiveObjects } from './live.ts'
import { NewFolder } from './new-folder.tsx'
import { ObjectPanel } from './panel/object-panel.tsx'
import { isFolder } from './paths.ts'
import { folderQuery, totalQuery } from './queries.ts'
import { Rename } from './rename.tsx'
import { columns, type Row, rowsOf } from './rows.tsx'
import { Working } from './working.tsx'

const defaultSize = 100

/** What is being asked for in a dialog. */
export type Task =
  | { kind: 'folder' }
  | { kind: 'rename' | 'link'; key: string }
  | { kind: 'copy' | 'move'; keys: string[] }

/** The objects of a bucket, folder by folder. */
export function Objects({ bucket }: BucketTab) {
  const { can } = useSession()
  const [query, change] = useQueryParams()
  const { prefix = '', search = '', object } = query
  const limit = Math.min(1000, Math.max(1, Number(query.size) || defaultSize))
  const pages = useCursorPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(
    folderQuery(bucket.id, { prefix, search, cursor: pages.cursor, limit }),
  )
  const { data: total } = useQuery(totalQuery(bucket.id, { prefix, search }))
  const [task, setTask] = useState<Task | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useLiveObjects(bucket.id)

  const address = `/console/buckets/${bucket.id}`
  const here = location.pathname + location.search
  const hrefOf = ({ key }: Row) =>
    isFolder(key) && !search
      ? withQuery(address, { prefix: key, size: query.size })
      : withQuery(here, { object: key })
  const mayWrite = can('object.write')
  const target = { bucket, folder: prefix }
  const rows = data && rowsOf(data, prefix, search)

  const actions = ({ key }: Row): MenuItem[] => {
    const items: (MenuItem | false)[] = [
      !isFolder(key) && {
        label: 'Download',
        icon: Download,
        onSelect: () => attempt(() => downloadAll(bucket, [key])),
      },
      !isFolder(key) &&
        can('object.sign') && {
          label: 'Copy link',
          icon: Link2,
          onSelect: () => setTask({ kind: 'link', key }),
        },
      mayWrite && { label: 'Copy', icon: Copy, onSelect: () => setTask({ kind: 'copy', keys: [key] }) },
      mayWrite && {
        label: 'Move',
        icon: FolderInput,
        onSelect: () => setTask({ kind: 'move', keys: [key] }),
      },
      mayWrite && { label: 'Rename', icon: Pencil, onSelect: () => setTask({ kind: 'rename', key }) },
      can('object.delete') && {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        onSelect: () => removeObjects(bucket, [key]),
      },
    ]
    return items.filter((item) => item !== false)
  }

  const selected = (chosen: Row[], clear: () => void) => {
    const keys = chosen.map(({ key }) => key)
    return (
      <>
        {!keys.some(isFolder) && (
          <Button icon={Download} onClick={() => attempt(() => downloadAll(bucket, keys))}>
            Download
          </Button>
        )}
        {mayWrite && (
          <Button icon={Copy} onClick={() => setTask({ kind: 'copy', keys })}>
            Copy
          </Button>
        )}
        {mayWrite && (
          <Button icon={FolderInput} onClick={() => setTask({ kind: 'move', keys })}>
            Move
          </Button>
        )}
        {can('object.delete') && (
          <Button
            kind="danger"
            icon={Trash2}
            onClick={async () => {
              clear()
              await removeObjects(bucket, keys)
            }}
          >
            Delete
          </Button>
        )}
      </>
    )
  }

  const upload = (
    <Button act kind="primary" icon={Upload} onClick={() => chooseFiles(input.current, 'files')}>
      Upload
    </Button>
  )
  const isEmptyBucket = prefix === '' && search === '' && rows?.length === 0
  return (
    <DropZone
      text={`Drop to upload to ${prefix || bucket.name}`}
      onDrop={(transfer) => mayWrite && addUploads(target, droppedFiles(transfer))}
    >
      <input
        ref={input}
        hidden
        type="file"
        multiple
        onChange={({ currentTarget }) =>
          currentTarget.files && void addUploads(target, chosenFiles(currentTarget.files))
        }
      />
      <Interrupted bucket={bucket} />
      <div class="objects-head">
        <FolderWay bucket={bucket} prefix={prefix} size={query.size} />
        {typeof total === 'number' && !isEmptyBucket && (
          <span class="quiet objects-total">
            {search ? `${count(total)} found` : counted(total, 'object')}
          </span>
        )}
      </div>
      <DataTable
        label="Objects"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
        hrefOf={hrefOf}
        actions={actions}
        selection={{ actions: selected }}
        currentKey={object}
        paging={{
          kind: 'cursor',
          hasMore: Boolean(data?.nextCursor),
          hasPrevious: pages.hasPrevious,
          onNext: () => data?.nextCursor && pages.goNext(data.nextCursor),
          onPrevious: pages.goBack,
          size: limit,
          sizes: [25, 50, 100, 200, 500],
          onSize: (size) => change({ size: size === defaultSize ? null : size, cursor: null }),
        }}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => change({ search: null, cursor: null })}
        toolbar={
          <>
            <SearchField
              label="Search objects"
              placeholder="Search by part of a key"
              value={search}
              onInput={(text) => change({ search: text, cursor: null })}
            />
            {mayWrite && (
              <div class="toolbar-end">
                <Button icon={FolderPlus} onClick={() => setTask({ kind: 'folder' })}>
                  New folder
                </Button>
                {upload}
                <Menu
                  label="More"
                  items={[
                    {
                      label: 'Upload a folder',
                      icon: Upload,
                      onSelect: () => chooseFiles(input.current, 'folder'),
                    },
                  ]}
                />
              </div>
            )}
          </>
        }
        empty={
          <Empty
            icon={Upload}
            title={isEmptyBucket ? 'No objects yet' : 'This folder is empty'}
            text={
              mayWrite
                ? 'Drop files or folders here, or choose them. Scripts and S3 clients work as well: see Keys.'
                : 'Nothing has been stored here.'
            }
            action={
              mayWrite && (
                <Button icon={Upload} onClick={() => chooseFiles(input.current, 'files')}>
                  Choose files
                </Button>
              )
            }
          />
        }
      />
      {task && <Dialogs bucket={bucket} prefix={prefix} task={task} onClose={() => setTask(null)} />}
      {object && (
        <ObjectPanel
          key={object}
          bucket={bucket}
          objectKey={object}
          actions={actions({ key: object, name: object })}
          onClose={() => change({ object: null })}
        />
      )}
      <Working />
    </DropZone>
  )
}

type DialogsProps = BucketTab & { prefix: string; task: Task; onClose: () => void }

const Dialogs = ({ bucket, prefix, task, onClose }: DialogsProps) => {
  switch (task.kind) {
    case 'folder':
      return <NewFolder bucket={bucket} prefix={prefix} onClose={onClose} onCreated={onClose} />
    case 'rename':
      return <Rename bucket={bucket} objectKey={task.key} onClose={onClose} />
    case 'link':
      return <CopyLink bucket={bucket} objectKey={task.key} onClose={onClose} />
    default:
      return <CopyOrMove action={task.kind} bucket={bucket} keys={task.keys} onClose={onClose} />
  }
}
