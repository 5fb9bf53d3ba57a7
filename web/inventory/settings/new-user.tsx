import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { PasswordField, RadioField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import type { Member } from './queries.ts'
import { roles } from './roles.ts'

const initial = { name: '', email: '', role: 'Staff' as Member['role'], password: '' }

export function NewUser({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="New user" onClose={onClose}>
      <Form
        initial={initial}
        submit="Create user"
        onCancel={onClose}
        onSubmit={async (body, { idempotencyKey }) => {
          await api.POST('/api/users', { body, headers: { 'idempotency-key': idempotencyKey } })
          await queries.invalidateQueries({ queryKey: ['users'] })
          onClose()
          toast(`${body.name} added`)
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="name" label="Name" required />
            <TextField form={form} name="email" label="Email" type="email" required />
            <RadioField form={form} name="role" label="Role" options={roles} />
            <PasswordField
              form={form}
              name="password"
              label="Password"
              hint="At least 8 characters, for the first sign-in. Ask them to change it in their profile."
              autocomplete="new-password"
              required
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
