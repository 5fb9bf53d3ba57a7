import { Page } from '#web/components/page.tsx'
import { BatchList } from './batch-list.tsx'
import { TrackingTabs, title } from './tracking-tabs.tsx'

export function Batches() {
  return (
    <Page title={title} tabs={<TrackingTabs />}>
      <BatchList />
    </Page>
  )
}
