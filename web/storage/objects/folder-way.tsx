import { ChevronRight } from 'lucide-preact'
import { PlainOrder } from '#web/components/plain-order.tsx'
import { withQuery } from '#web/components/query-state.ts'
import type { Bucket } from '../api.ts'
import { crumbsOf } from './paths.ts'

type Props = { bucket: Bucket; prefix: string; size: string | undefined }

/** The folders from the top of the bucket to the present one, each a link. */
export function FolderWay({ bucket, prefix, size }: Props) {
  const crumbs = [{ name: bucket.name, prefix: '' }, ...crumbsOf(prefix)]
  const hrefOf = (folder: string) => withQuery(`/console/buckets/${bucket.id}`, { prefix: folder, size })
  return (
    <nav class="breadcrumb folder-way" aria-label="Folders">
      <ol>
        {crumbs.map(({ name, prefix: folder }) => (
          <li key={folder}>
            <a href={hrefOf(folder)} aria-current={folder === prefix ? 'page' : undefined}>
              <bdi>
                <PlainOrder text={name} />
              </bdi>
            </a>
            {folder !== prefix && <ChevronRight size={14} aria-hidden="true" />}
          </li>
        ))}
      </ol>
    </nav>
  )
}
