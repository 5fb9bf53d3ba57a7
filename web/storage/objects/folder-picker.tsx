import { useQuery } from '@tanstack/preact-query'
import { ChevronRight, Folder } from 'lucide-preact'
import { PlainOrder } from '#web/components/plain-order.tsx'
import type { Bucket } from '../api.ts'
import { crumbsOf, shownName } from './paths.ts'
import { folderQuery } from './queries.ts'

const most = 200

type Props = { bucket: Bucket; folder: string; onChoose: (folder: string) => void }

/** The way to a folder, and the folders in it: each a step further. */
export function FolderPicker({ bucket, folder, onChoose }: Props) {
  const { data } = useQuery(folderQuery(bucket.id, { prefix: folder, search: '', limit: most }))
  const crumbs = [{ name: bucket.name, prefix: '' }, ...crumbsOf(folder)]
  const folders = data?.folders ?? []
  return (
    <fieldset class="folder-picker">
      <legend class="visually-hidden">Choose a folder</legend>
      <ol class="folder-way">
        {crumbs.map(({ name, prefix }) => (
          <li key={prefix}>
            <button
              type="button"
              aria-current={prefix === folder ? 'location' : undefined}
              onClick={() => onChoose(prefix)}
            >
              <bdi>
                <PlainOrder text={name} />
              </bdi>
            </button>
            {prefix !== folder && <ChevronRight size={14} aria-hidden="true" />}
          </li>
        ))}
      </ol>
      {folders.length === 0 ? (
        <p class="quiet">{data ? 'No folders in here' : 'Loading…'}</p>
      ) : (
        <ul>
          {folders.map((prefix) => (
            <li key={prefix}>
              <button type="button" onClick={() => onChoose(prefix)}>
                <Folder size={16} aria-hidden="true" />
                <bdi>
                  <PlainOrder text={shownName(prefix)} />
                </bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
