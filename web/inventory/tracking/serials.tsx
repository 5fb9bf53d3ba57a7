import { Page } from '#web/components/page.tsx'
import { SerialList } from './serial-list.tsx'
import { TrackingTabs, title } from './tracking-tabs.tsx'

export function Serials() {
  return (
    <Page title={title} tabs={<TrackingTabs />}>
      <SerialList />
    </Page>
  )
}
