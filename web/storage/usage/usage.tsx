import { useQuery } from '@tanstack/preact-query'
import { Card } from '#web/components/card.tsx'
import { Chart } from '#web/components/chart.tsx'
import { Filter } from '#web/components/filter.tsx'
import { bytes, count } from '#web/components/format.ts'
import { Meter } from '#web/components/meter.tsx'
import { Page } from '#web/components/page.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { type Quotas, type UsageDay, wholePeriod } from './days.ts'
import { historyQuery, summaryQuery } from './queries.ts'

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
]
const usual = '30'

export function Usage() {
  const [asked, setPeriod] = useQueryState('days', usual)
  const period = periods.some(({ value }) => value === asked) ? asked : usual
  const { data: summary } = useQuery(summaryQuery)
  const { data: history, error, refetch } = useQuery(historyQuery(Number(period)))
  return (
    <Page
      title="Usage"
      actions={<Filter label="Period" value={period} options={periods} onChange={setPeriod} />}
    >
      {error && !history ? (
        <ErrorState error={error} retry={refetch} />
      ) : !history || !summary ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <div class="tiles">
            <Card>
              <Meter
                label="Storage used"
                value={summary.storage_used_bytes}
                max={history.storage_quota_bytes}
                format={bytes}
              />
            </Card>
            <Card>
              <Meter
                label="Objects kept"
                value={summary.retained_objects}
                max={summary.object_quota}
                format={count}
              />
              <p class="quiet">With versions, deleted objects, delete markers and pending uploads</p>
            </Card>
            <Card>
              <Meter
                label="Bandwidth this month"
                value={summary.bandwidth_used_bytes}
                max={history.bandwidth_quota_bytes}
                format={bytes}
              />
            </Card>
            <Card>
              <dl class="figures">
                <div>
                  <dt>Objects</dt>
                  <dd>{count(summary.object_count)}</dd>
                </div>
                <div>
                  <dt>Buckets</dt>
                  <dd>{count(summary.bucket_count)}</dd>
                </div>
              </dl>
            </Card>
          </div>
          <Charts days={wholePeriod(history)} quotas={history} />
        </>
      )}
    </Page>
  )
}

const Charts = ({ days, quotas }: { days: UsageDay[]; quotas: Quotas }) => {
  const { storage_quota_bytes, bandwidth_quota_bytes } = quotas
  const shared = {
    xs: days.map(({ day }) => Date.parse(day) / 1000),
    unit: 'bytes',
    format: bytes,
  }
  return (
    <>
      <Chart
        {...shared}
        title="Storage"
        series={[{ label: 'Stored', values: days.map((day) => day.stored_bytes) }]}
        limit={{ label: `Quota ${bytes(storage_quota_bytes)}`, value: storage_quota_bytes }}
      />
      <Chart
        {...shared}
        title="Bandwidth"
        series={[{ label: 'Used in the month', values: days.map((day) => day.bandwidth_used_bytes) }]}
        limit={{ label: `Quota ${bytes(bandwidth_quota_bytes)} a month`, value: bandwidth_quota_bytes }}
      />
      <Chart
        {...shared}
        title="Transfers"
        series={[
          { label: 'Uploaded', values: days.map((day) => day.uploaded_bytes) },
          { label: 'Downloaded', values: days.map((day) => day.downloaded_bytes) },
        ]}
      />
      <Chart
        {...shared}
        title="Objects"
        unit="objects"
        format={count}
        whole
        series={[{ label: 'Objects', values: days.map((day) => day.object_count) }]}
      />
    </>
  )
}
