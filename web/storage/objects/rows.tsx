import { File, FileArchive, FileImage, FileText, FileVideo, Folder, Music } from 'lucide-preact'
import type { Folder as Listed } from '#sdk/index.ts'
import { bytes } from '#web/components/format.ts'
import { PlainOrder } from '#web/components/plain-order.tsx'
import type { Column } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { isFolder, shownName } from './paths.ts'
import { bareType } from './preview-kind.ts'

/** A folder has only a key, which ends with a slash. */
export type Row = { key: string; name: string; size?: number; contentType?: string; changedAt?: string }

/** Folders first. The object that stands for the folder itself is not shown in it. */
export const rowsOf = ({ folders, objects }: Listed, prefix: string, search: string): Row[] => [
  ...folders.map((key) => ({ key, name: shownName(key) })),
  ...objects
    .filter(({ objectKey }) => objectKey !== prefix)
    .map(({ objectKey, sizeBytes, contentType, createdAt, updatedAt }) => ({
      key: objectKey,
      name: search ? objectKey.slice(prefix.length) : shownName(objectKey),
      size: sizeBytes,
      contentType,
      changedAt: updatedAt ?? createdAt,
    })),
]

const archives = /zip|compressed|x-tar|gzip|zstd/

const iconOf = ({ key, contentType = '' }: Row) => {
  if (isFolder(key) && contentType === '') return Folder
  const type = bareType(contentType)
  if (type.startsWith('image/')) return FileImage
  if (type.startsWith('video/')) return FileVideo
  if (type.startsWith('audio/')) return Music
  if (archives.test(type)) return FileArchive
  return type.startsWith('text/') || type.endsWith('json') || type === 'application/pdf' ? FileText : File
}

const Name = ({ row }: { row: Row }) => {
  const Icon = iconOf(row)
  return (
    <span class={isFolder(row.key) ? 'object-name folder' : 'object-name'}>
      <Icon size={16} aria-hidden="true" />
      <bdi title={row.key}>
        <PlainOrder text={row.name} />
      </bdi>
    </span>
  )
}

export const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: (row) => <Name row={row} /> },
  {
    key: 'size',
    title: 'Size',
    align: 'end',
    width: '7rem',
    cell: ({ size }) => (size === undefined ? '' : bytes(size)),
  },
  {
    key: 'type',
    title: 'Type',
    width: '14rem',
    minor: true,
    cell: ({ contentType }) => (
      <span class="quiet object-type" title={contentType}>
        {contentType === undefined ? 'Folder' : bareType(contentType)}
      </span>
    ),
  },
  {
    key: 'modified',
    title: 'Modified',
    width: '10rem',
    minor: true,
    cell: ({ changedAt }) => (changedAt ? <When at={changedAt} /> : ''),
  },
]
