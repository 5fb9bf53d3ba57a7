import type { AnyComponent } from 'preact'
import { Page } from '#web/components/page.tsx'
import { Denied, Empty } from '#web/components/states.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { LazyPart } from '#web/frame/lazy-part.tsx'
import { useSession } from '#web/frame/session.ts'
import { type Permission, rolesWith } from '../permissions.ts'

type Tab = { label: string; path: string; needs?: Permission; load: () => Promise<AnyComponent> }

const tabs: Tab[] = [
  { label: 'Company', path: '', load: () => import('./company.tsx').then((m) => m.Company) },
  { label: 'Warehouses', path: '/warehouses', load: () => import('./warehouses.tsx').then((m) => m.Warehouses) },
  { label: 'Categories', path: '/categories', load: () => import('./categories.tsx').then((m) => m.Categories) },
  { label: 'Users', path: '/users', needs: 'user.manage', load: () => import('./users.tsx').then((m) => m.Users) },
  { label: 'API keys', path: '/keys', needs: 'key.manage', load: () => import('./keys.tsx').then((m) => m.Keys) },
  { label: 'Usage log', path: '/usage', needs: 'key.manage', load: () => import('./usage-log.tsx').then((m) => m.UsageLog) },
  { label: 'Stock check', path: '/stock-check', needs: 'stock.check', load: () => import('./stock-check.tsx').then((m) => m.StockCheck) },
  { label: 'Profile', path: '/profile', load: () => import('./profile.tsx').then((m) => m.Profile) },
] // biome-ignore format: a table

export function Settings({ params: { tab = '' } }: ScreenProps) {
  const { can } = useSession()
  const current = tabs.find(({ path }) => path === (tab && `/${tab}`))
  const mayOpen = ({ needs }: Tab) => !needs || can(needs)
  return (
    <Page
      title="Settings"
      tabs={
        <Tabs
          label="Settings"
          items={tabs.filter(mayOpen).map(({ label, path }) => ({ label, href: `/console/settings${path}` }))}
        />
      }
    >
      {!current ? (
        <Empty
          title="There is nothing at this address"
          text="It may have been moved, or the link is wrong."
        />
      ) : mayOpen(current) ? (
        <LazyPart key={current.path} load={current.load} props={{}} />
      ) : (
        <Denied roles={rolesWith(current.needs as Permission)} />
      )}
    </Page>
  )
}
