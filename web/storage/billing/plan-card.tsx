import { Badge } from '#web/components/badge.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { bytes, count } from '#web/components/format.ts'
import { When } from '#web/components/when.tsx'
import { cents, monthlyCents, tierWords } from './prices.ts'
import type { Plan, Tiers } from './queries.ts'

const tones = { trial: 'accent', active: 'good', expired: 'bad' } as const
const words = { trial: 'Trial', active: 'Active', expired: 'Expired' }

const quota = (n: number | null) => (n === null ? 'No limit' : bytes(n))

export function PlanCard({ plan, tiers }: { plan: Plan; tiers: Tiers }) {
  const { plan_status, plan_expires_at, storage_tier, bandwidth_tier } = plan
  const cost = monthlyCents(tiers, { storage: storage_tier, bandwidth: bandwidth_tier })
  return (
    <Card title="Plan" actions={<Badge tone={tones[plan_status]}>{words[plan_status]}</Badge>}>
      {plan_status === 'expired' && (
        <p class="problem" role="status">
          The plan has expired. Reading and deleting still work; uploads are refused until it is extended.
        </p>
      )}
      <Facts
        items={[
          ['Storage', tierWords(tiers.storage, storage_tier, quota(plan.storage_quota_bytes))],
          ['Objects', plan.object_quota === null ? 'No limit' : `Up to ${count(plan.object_quota)}`],
          [
            'Bandwidth',
            tierWords(tiers.bandwidth, bandwidth_tier, `${quota(plan.bandwidth_quota_bytes)} a month`),
          ],
          ['Cost', cost === null ? 'Free' : `${cents(cost, tiers.currency)} a month`],
          [plan_status === 'expired' ? 'Expired' : 'Ends', <When key="end" at={plan_expires_at} />],
        ]}
      />
    </Card>
  )
}
