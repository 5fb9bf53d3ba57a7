import { useLocation } from 'preact-iso'
import { Page } from '#web/components/page.tsx'
import { withQuery } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { Financial } from './financial.tsx'
import { SalesByProduct } from './sales-by-product.tsx'
import { StockValuation } from './stock-valuation.tsx'

const reports = [
  { name: 'financial', label: 'Financial', Report: Financial },
  { name: 'sales-by-product', label: 'Sales by product', Report: SalesByProduct },
  { name: 'stock-valuation', label: 'Stock valuation', Report: StockValuation },
]

export function Reports({ params }: ScreenProps) {
  const { url, query } = useLocation()
  const current = reports.find(({ name }) => name === (params.report ?? 'financial'))
  const { from, to } = query
  const tabs = (
    <Tabs
      label="Reports"
      items={reports.map(({ name, label }) => ({
        label,
        href: name === current?.name ? url : withQuery(`/console/reports/${name}`, { from, to }),
      }))}
    />
  )
  if (current) return <current.Report key={current.name} title="Reports" tabs={tabs} />
  return (
    <Page title="Reports" tabs={tabs}>
      <Empty title="There is nothing at this address" text="It may have been moved, or the link is wrong." />
    </Page>
  )
}
