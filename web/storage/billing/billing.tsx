import { useQuery } from '@tanstack/preact-query'
import { CreditCard, Receipt } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { bytes } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import { BuyPlan } from './buy-plan.tsx'
import { PlanCard } from './plan-card.tsx'
import { cents } from './prices.ts'
import { PromoCode } from './promo-code.tsx'
import { type Charge, chargesQuery, planQuery, type Tiers, tiersQuery } from './queries.ts'

type Tier = Tiers['storage'][number]

const statuses: Record<string, { tone: 'good' | 'warn' | 'bad'; word: string }> = {
  succeeded: { tone: 'good', word: 'Paid' },
  pending: { tone: 'warn', word: 'Pending' },
  failed: { tone: 'bad', word: 'Failed' },
}

const chargeColumns: Column<Charge>[] = [
  { key: 'description', title: 'Description', cell: ({ description }) => description },
  {
    key: 'status',
    title: 'Status',
    width: '8rem',
    cell: ({ source, status }) =>
      source === 'promo' ? (
        <Badge tone="accent">Promo</Badge>
      ) : (
        <Badge tone={statuses[status]?.tone ?? 'quiet'}>{statuses[status]?.word ?? status}</Badge>
      ),
  },
  {
    key: 'amount',
    title: 'Amount',
    align: 'end',
    width: '8rem',
    cell: ({ amount, currency }) => cents(amount, currency),
  },
  { key: 'date', title: 'Date', width: '9rem', cell: ({ date }) => <When at={date * 1000} /> },
]

const tierColumns = (currency: string): Column<Tier>[] => [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  {
    key: 'quota',
    title: 'Quota',
    align: 'end',
    width: '8rem',
    cell: ({ quota_bytes }) => bytes(quota_bytes),
  },
  {
    key: 'price',
    title: 'Price a month',
    align: 'end',
    width: '9rem',
    cell: ({ monthly_cents }) => cents(monthly_cents, currency),
  },
]

export function Billing() {
  const { can } = useSession()
  const plan = useQuery(planQuery)
  const tiers = useQuery(tiersQuery)
  const charges = useQuery(chargesQuery)
  const [isBuying, setBuying] = useState(false)
  const error = (!plan.data && plan.error) || (!tiers.data && tiers.error)
  const retry = () => Promise.all([plan.refetch(), tiers.refetch()])
  const isOwner = can('billing.purchase')
  return (
    <Page
      title="Billing"
      actions={
        isOwner &&
        plan.data &&
        tiers.data && (
          <Button kind="primary" icon={CreditCard} onClick={() => setBuying(true)}>
            Change plan
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} retry={retry} />
      ) : !plan.data || !tiers.data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <PlanCard plan={plan.data} tiers={tiers.data} />
          {isOwner && <PromoCode />}
          <div class="columns">
            <TierTable title="Storage tiers" tiers={tiers.data.storage} currency={tiers.data.currency} />
            <TierTable title="Bandwidth tiers" tiers={tiers.data.bandwidth} currency={tiers.data.currency} />
          </div>
          {isBuying && <BuyPlan plan={plan.data} tiers={tiers.data} onClose={() => setBuying(false)} />}
        </>
      )}
      <section class="stack">
        <h2 class="section-title">Payments</h2>
        <DataTable
          label="Payments"
          columns={chargeColumns}
          rows={charges.data}
          rowKey={({ id }) => id}
          rowName={({ description }) => description}
          error={charges.error}
          retry={charges.refetch}
          empty={
            <Empty
              icon={Receipt}
              title="No payments yet"
              text="Payments and redeemed promo codes are listed here."
            />
          }
        />
      </section>
    </Page>
  )
}

const TierTable = (props: { title: string; tiers: Tier[]; currency: string }) => (
  <section class="stack">
    <h2 class="section-title">{props.title}</h2>
    <DataTable
      label={props.title}
      columns={tierColumns(props.currency)}
      rows={props.tiers}
      rowKey={({ code }) => code}
      rowName={({ name }) => name}
    />
  </section>
)
