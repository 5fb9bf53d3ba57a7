import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { PasswordField, SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
]

const initial = { fullName: '', email: '', role: 'member' as 'member' | 'admin', password: '' }

export function InviteMember({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Invite member" onClose={onClose}>
      <Form
        initial={initial}
        submit="Add member"
        onCancel={onClose}
        onSubmit={async (body, { idempotencyKey }) => {
          await api.POST('/members', { body, headers: { 'idempotency-key': idempotencyKey } })
          await queries.invalidateQueries({ queryKey: ['members'] })
          onClose()
          toast(`${body.fullName} added`)
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="fullName" label="Full name" required />
            <TextField form={form} name="email" label="Email" type="email" required />
            <SelectField
              form={form}
              name="role"
              label="Role"
              hint="Members use buckets and objects. Admins also create buckets, change policies and read the audit log."
              options={roles}
            />
            <PasswordField
              form={form}
              name="password"
              label="Password"
              hint="At least 8 characters, for the first sign-in. Ask them to change it in their settings."
              autocomplete="new-password"
              required
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
