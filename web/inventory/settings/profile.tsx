import { Card, Facts } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { ChangePassword } from '#web/frame/change-password.tsx'
import { refreshSession, useSession } from '#web/frame/session.ts'
import { api } from '../api.ts'

/** What people change about themselves. */
export function Profile() {
  const { user, role, organization } = useSession()
  return (
    <div class="settings">
      <Card title="Profile">
        <Facts
          items={[
            ['Email', user.email],
            ['Role', role],
            ['Company', organization.name],
          ]}
        />
        <Form
          initial={{ name: user.name }}
          submit="Save profile"
          onSubmit={async (body, { idempotencyKey }) => {
            await api.PATCH('/api/auth/me', { body, headers: { 'idempotency-key': idempotencyKey } })
            toast('Profile saved')
            await refreshSession()
          }}
        >
          {(form) => <TextField form={form} name="name" label="Name" autocomplete="name" required />}
        </Form>
      </Card>
      <ChangePassword
        names={{ current: 'current_password', next: 'new_password', revokeKeys: 'revoke_keys' }}
        send={(body) => api.PATCH('/api/auth/password', { body })}
      />
    </div>
  )
}
