import { useState } from 'preact/hooks'
import { Card } from '#web/components/card.tsx'
import { CheckField, PasswordField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'

export function Password() {
  const [changes, setChanges] = useState(0)
  return (
    <Card title="Password" text="Other sessions end when you change it; this one stays.">
      <Form
        key={changes}
        initial={{ currentPassword: '', newPassword: '', revokeKeys: false }}
        submit="Change password"
        fieldOfCode={{ unauthorized: 'currentPassword' }}
        onSubmit={async (body) => {
          await api.PATCH('/settings/password', { body })
          setChanges(changes + 1)
          toast('Password changed')
        }}
      >
        {(form) => (
          <>
            <PasswordField form={form} name="currentPassword" label="Current password" required />
            <PasswordField
              form={form}
              name="newPassword"
              label="New password"
              hint="At least 8 characters."
              autocomplete="new-password"
              required
            />
            <CheckField form={form} name="revokeKeys" label="Also revoke my API keys" />
          </>
        )}
      </Form>
    </Card>
  )
}
