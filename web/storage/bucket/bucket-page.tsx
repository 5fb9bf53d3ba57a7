import { useQuery } from '@tanstack/preact-query'
import type { AnyComponent } from 'preact'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { Denied } from '#web/components/states.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { LazyPart } from '#web/frame/lazy-part.tsx'
import { useSession } from '#web/frame/session.ts'
import type { BucketTab } from '../bucket-tab.ts'
import { Held, Visibility } from '../buckets/buckets.tsx'
import { bucketQuery } from '../buckets/queries.ts'
import type { Permission } from '../permissions.ts'

type Tab = {
  label: string
  path: string
  needs?: Permission
  load: () => Promise<AnyComponent<BucketTab>>
}

const tabs: Tab[] = [
  { label: 'Objects', path: '', load: () => import('../objects/objects.tsx').then((m) => m.Objects) },
  {
    label: 'Trash',
    path: '/trash',
    load: () => import('./trash/trash.tsx').then((m) => m.Trash),
  },
  {
    label: 'Policy',
    path: '/policy',
    needs: 'policy.read',
    load: () => import('./policy/policy.tsx').then((m) => m.Policy),
  },
  {
    label: 'Lifecycle',
    path: '/lifecycle',
    needs: 'bucket.update',
    load: () => import('./lifecycle/lifecycle.tsx').then((m) => m.Lifecycle),
  },
  {
    label: 'Settings',
    path: '/settings',
    needs: 'bucket.update',
    load: () => import('./settings/settings.tsx').then((m) => m.BucketSettings),
  },
]

const breadcrumb = [{ label: 'Buckets', href: '/console/buckets' }]

/** A bucket: its name, and a tab for each thing one does with it. */
export function BucketPage({ params }: ScreenProps) {
  const { bucketId = '', tab = '' } = params
  const { can } = useSession()
  const { data: bucket, error, refetch } = useQuery(bucketQuery(bucketId))
  const current = tabs.find(({ path }) => path === (tab && `/${tab}`))
  if (!bucket) return <PendingPage title="Bucket" breadcrumb={breadcrumb} error={error} retry={refetch} />
  const shown = tabs.filter(({ needs }) => !needs || can(needs))
  return (
    <Page
      title={bucket.name}
      breadcrumb={breadcrumb}
      text={
        <>
          <Visibility {...bucket} /> <Held {...bucket} />
        </>
      }
      tabs={
        <Tabs
          label="Bucket"
          items={shown.map(({ label, path }) => ({ label, href: `/console/buckets/${bucketId}${path}` }))}
        />
      }
    >
      {current && shown.includes(current) ? (
        <LazyPart key={bucket.id + current.path} load={current.load} props={{ bucket }} />
      ) : (
        <Denied roles={['owner', 'admin']} />
      )}
    </Page>
  )
}
