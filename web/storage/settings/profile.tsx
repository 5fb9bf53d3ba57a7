import { useQueryClient } from '@tanstack/preact-query'
import { Card, Facts } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { refreshSession } from '#web/frame/session.ts'
import { type Account, api } from '../api.ts'

const roles = { owner: 'Owner', admin: 'Admin', member: 'Member' }

export function Profile({ user }: Pick<Account, 'user'>) {
  const queries = useQueryClient()
  return (
    <Card title="Profile">
      <Facts
        items={[
          ['Email', user.email],
          ['Role', roles[user.role]],
          ['Joined', <When key="joined" at={user.created_at} />],
        ]}
      />
      <Form
        initial={{ fullName: user.full_name }}
        submit="Save profile"
        onSubmit={async (body) => {
          const { data } = await api.PATCH('/settings/profile', { body })
          toast('Profile saved')
          await refreshSession()
          queries.setQueryData(['account'], data)
        }}
      >
        {(form) => <TextField form={form} name="fullName" label="Full name" autocomplete="name" required />}
      </Form>
    </Card>
  )
}
