import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Card } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'

export function PromoCode() {
  const queries = useQueryClient()
  const [redeemed, setRedeemed] = useState(0)
  return (
    <Card title="Extend the plan" text="A code adds its months, once for each organization.">
      <Form
        key={redeemed}
        initial={{ code: '' }}
        submit="Redeem"
        layout="line"
        careless
        onSubmit={async (body, { idempotencyKey }) => {
          const { data } = await api.POST('/billing/redeem-promo', {
            body,
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['billing'] })
          setRedeemed(redeemed + 1)
          toast(data.message)
        }}
      >
        {(form) => <TextField form={form} name="code" label="Promo code" mono required />}
      </Form>
    </Card>
  )
}
