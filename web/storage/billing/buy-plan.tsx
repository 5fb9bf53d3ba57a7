import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { isNotFound } from '#web/components/errors.ts'
import { NumberField, SelectField } from '#web/components/fields.tsx'
import { Form, Problem } from '#web/components/form.tsx'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import { cents, monthlyCents } from './prices.ts'
import type { Plan, Tiers } from './queries.ts'

type Started = { clientSecret: string; amount: number }

const optionsOf = (tiers: Tiers['storage'], currency: string) =>
  tiers.map(({ code, name, monthly_cents }) => ({
    value: code,
    label: `${name}, ${cents(monthly_cents, currency)} a month`,
  }))

/** Chooses tiers and a term, then pays. */
export function BuyPlan(props: { plan: Plan; tiers: Tiers; onClose: () => void }) {
  const { plan, tiers, onClose } = props
  const [started, setStarted] = useState<Started | null>(null)
  const known = (list: Tiers['storage'], code: string | null) =>
    (list.find((tier) => tier.code === code) ?? list[0])?.code ?? ''
  return (
    <Dialog title="Change plan" onClose={onClose}>
      {started ? (
        <Payment {...started} currency={tiers.currency} onClose={onClose} />
      ) : (
        <Form
          initial={{
            storageTier: known(tiers.storage, plan.storage_tier),
            bandwidthTier: known(tiers.bandwidth, plan.bandwidth_tier),
            termMonths: 12 as number | null,
          }}
          submit="Continue to payment"
          onCancel={onClose}
          careless
          onSubmit={async ({ termMonths, ...rest }, { idempotencyKey }) => {
            const { data } = await api.POST('/billing/purchase', {
              body: { ...rest, termMonths: termMonths ?? 1 } as never,
              headers: { 'idempotency-key': idempotencyKey },
            })
            setStarted(data)
          }}
        >
          {(form) => {
            const { storageTier, bandwidthTier, termMonths } = form.values.value
            const cost = monthlyCents(tiers, { storage: storageTier, bandwidth: bandwidthTier })
            return (
              <>
                <SelectField
                  form={form}
                  name="storageTier"
                  label="Storage"
                  options={optionsOf(tiers.storage, tiers.currency)}
                />
                <SelectField
                  form={form}
                  name="bandwidthTier"
                  label="Bandwidth"
                  options={optionsOf(tiers.bandwidth, tiers.currency)}
                />
                <NumberField form={form} name="termMonths" label="Months" min={1} max={120} required />
                <p class="total" role="status">
                  <span>Total for {counted(termMonths ?? 0, 'month')}</span>
                  <strong>{cents((cost ?? 0) * (termMonths ?? 0), tiers.currency)}</strong>
                </p>
              </>
            )
          }}
        </Form>
      )}
    </Dialog>
  )
}

/** The sandbox has no card form. With a payment provider, the payment is completed there. */
const Payment = ({
  clientSecret,
  amount,
  currency,
  onClose,
}: Started & { currency: string; onClose: () => void }) => {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const pay = async () => {
    setBusy(true)
    setError(null)
    try {
      await api.POST('/billing/sandbox/confirm', { body: { clientSecret } })
      await queries.invalidateQueries({ queryKey: ['billing'] })
      await queries.invalidateQueries({ queryKey: ['usage'] })
      onClose()
      toast('The plan was changed')
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="stack">
      <p class="total">
        <span>To pay now</span>
        <strong>{cents(amount, currency)}</strong>
      </p>
      {isNotFound(error) ? (
        <p>
          The payment has begun. Complete it with the payment provider; the plan changes as soon as it is
          confirmed.
        </p>
      ) : (
        <>
          <p class="quiet">This server is in sandbox mode: no card is needed, and nothing is charged.</p>
          <Problem error={error} />
        </>
      )}
      <div class="form-actions">
        {!isNotFound(error) && (
          <Button kind="primary" busy={isBusy} onClick={pay}>
            Pay
          </Button>
        )}
        <Button onClick={onClose}>{isNotFound(error) ? 'Close' : 'Cancel'}</Button>
      </div>
    </div>
  )
}
