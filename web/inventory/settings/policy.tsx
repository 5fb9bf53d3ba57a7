import { useQueryClient } from '@tanstack/preact-query'
import { Card, Facts } from '#web/components/card.tsx'
import { RadioField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Schemas } from '../api.ts'
import { settingsQuery } from './queries.ts'
import { timeIn, timeZones } from './time-zones.ts'

const policies = [
  {
    value: 'backorder',
    label: 'Take the order',
    hint: 'What is missing waits, and is filled when stock arrives, the oldest order first.',
  },
  { value: 'reject', label: 'Refuse the order', hint: 'Nobody can sell what is not there.' },
]

/** When a day begins, and what happens to an order for more than there is. */
export function Policy({ settings }: { settings: Schemas['Settings'] }) {
  const queries = useQueryClient()
  const { can } = useSession()
  const { timezone, oversell_policy } = settings
  if (!can('settings.write'))
    return (
      <Card title="Time zone and stock policy">
        <Facts
          items={[
            ['Time zone', timezone],
            ['Not enough stock', policies.find(({ value }) => value === oversell_policy)?.label],
          ]}
        />
      </Card>
    )
  return (
    <Card title="Time zone and stock policy">
      <Form
        initial={{ timezone, oversell_policy }}
        submit="Save changes"
        onSubmit={async (body, { idempotencyKey }) => {
          const { data } = await api.PATCH('/api/settings', {
            body: { ...body, timezone: body.timezone.trim() },
            headers: { 'idempotency-key': idempotencyKey },
          })
          toast('Settings saved')
          queries.setQueryData(settingsQuery.queryKey, data)
          // Days begin at another time: whatever is counted by day is read again.
          await queries.invalidateQueries()
        }}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="timezone"
              label="Time zone"
              suggestions={timeZones()}
              hint={`Days of reports and due dates begin at midnight there. ${timeIn(form.values.value.timezone)}`}
              required
            />
            <RadioField
              form={form}
              name="oversell_policy"
              label="When there is not enough stock"
              options={policies}
            />
          </>
        )}
      </Form>
    </Card>
  )
}
