import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { TrivetError } from '#sdk/index.ts'
import { Badge } from '#web/components/badge.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { date } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { toast } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { refreshSession, useSession } from '#web/frame/session.ts'
import { api } from '../api.ts'
import { Policy } from './policy.tsx'
import { companyQuery, settingsQuery } from './queries.ts'

/** What is known of the company without asking stays visible when the service refuses everything else. */
export function Company() {
  const { organization } = useSession()
  const company = useQuery(companyQuery)
  const settings = useQuery(settingsQuery)
  const error = company.error ?? settings.error
  return (
    <div class="settings">
      <Card title="Company">
        <Facts
          items={[
            ['Name', organization.name],
            ['Number', <code key="number">{organization.id}</code>],
            ...(company.data ? [['Since', date(new Date(company.data.created_at))] as [string, string]] : []),
          ]}
        />
        {company.data && <Rename name={company.data.name} />}
      </Card>
      <Subscription until={company.data?.subscription_expires_at} error={error} />
      {settings.data && company.data ? (
        <Policy settings={settings.data} />
      ) : error ? (
        <ErrorState
          error={error}
          retry={() => Promise.all([company.refetch(), settings.refetch(), refreshSession()])}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </div>
  )
}

const Subscription = ({ until, error }: { until: string | undefined; error: unknown }) => {
  const isOver = error instanceof TrivetError && error.status === 402
  if (!until && !isOver) return null
  return (
    <Card
      title="Subscription"
      text="Whoever runs this server renews it, and asks for the number of the company."
    >
      <Facts
        items={[
          [
            'Status',
            <Badge key="status" tone={isOver ? 'bad' : 'good'}>
              {isOver ? 'Expired' : 'Active'}
            </Badge>,
          ],
          ...(until && !isOver
            ? [['Paid until', <PaidUntil key="until" at={until} />] as [string, ComponentChildren]]
            : []),
        ]}
      />
    </Card>
  )
}

const PaidUntil = ({ at }: { at: string }) => (
  <>
    {date(new Date(at))}{' '}
    <span class="quiet">
      (<When at={at} />)
    </span>
  </>
)

const Rename = ({ name }: { name: string }) => {
  const queries = useQueryClient()
  const { can } = useSession()
  if (!can('settings.write')) return null
  return (
    <Form
      initial={{ name }}
      submit="Save company"
      onSubmit={async (body, { idempotencyKey }) => {
        const { data } = await api.PATCH('/api/company', {
          body,
          headers: { 'idempotency-key': idempotencyKey },
        })
        toast('Company saved')
        await refreshSession()
        queries.setQueryData(companyQuery.queryKey, data)
      }}
    >
      {(form) => (
        <TextField form={form} name="name" label="Company name" autocomplete="organization" required />
      )}
    </Form>
  )
}
