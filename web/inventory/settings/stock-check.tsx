import { CircleAlert, CircleCheck, ShieldCheck } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { count, counted } from '#web/components/format.ts'
import { ErrorState } from '#web/components/states.tsx'
import { When } from '#web/components/when.tsx'
import { api } from '../api.ts'
import { type Finding, Findings } from './findings.tsx'

type Outcome = { at: Date; findings: Finding[]; rows: number; movements: number; orders: number }

const one = { params: { query: { limit: 1 } } }

const check = async (): Promise<Outcome> => {
  const { data } = await api.GET('/api/inventory/verify')
  const [stock, movements, orders] = await Promise.all([
    api.GET('/api/inventory', one),
    api.GET('/api/inventory/movements', one),
    api.GET('/api/orders/counts'),
  ])
  return {
    at: new Date(),
    findings: data.findings,
    rows: stock.data.total,
    movements: movements.data.total,
    orders: orders.data.total,
  }
}

/** Whether everything that is stored still adds up. */
export function StockCheck() {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      setOutcome(await check())
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="stack">
      <Card
        title="Stock check"
        text="Compares every quantity with the movements, orders, batches and serials that explain it. Nothing is changed."
        actions={
          <Button kind="primary" icon={ShieldCheck} busy={isBusy} onClick={run}>
            Check stock
          </Button>
        }
      >
        <div role="status">{outcome && <Summary {...outcome} />}</div>
      </Card>
      {error !== null && <ErrorState error={error} retry={run} />}
      {outcome && outcome.findings.length > 0 && <Findings findings={outcome.findings} />}
    </div>
  )
}

const Summary = ({ at, findings, rows, movements, orders }: Outcome) => {
  const isSound = findings.length === 0
  const Icon = isSound ? CircleCheck : CircleAlert
  return (
    <>
      <p class={isSound ? 'check-outcome good' : 'check-outcome bad'}>
        <Icon size={20} aria-hidden="true" />
        {isSound ? 'Everything adds up' : `${counted(findings.length, 'difference')} found`}
      </p>
      <Facts
        items={[
          ['Stock rows', count(rows)],
          ['Movements', count(movements)],
          ['Orders', count(orders)],
          ['Checked', <When key="at" at={at} />],
        ]}
      />
    </>
  )
}
