import { Tabs } from '#web/components/tabs.tsx'

export const title = 'Batches and serials'
export const home = { label: title, href: '/console/tracking' }

export function TrackingTabs() {
  return (
    <Tabs
      label={title}
      items={[
        { label: 'Batches', href: home.href },
        { label: 'Serials', href: `${home.href}/serials` },
      ]}
    />
  )
}
