import { PasswordField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'
import { signIn } from '#web/frame/session.ts'
import { api } from '../api.ts'

const initial = { company_name: '', name: '', email: '', password: '' }

export function CreateAccount() {
  return (
    <Page title="Create an account">
      <Form
        initial={initial}
        submit="Create account"
        careless
        onSubmit={async (body, { idempotencyKey }) => {
          await api.POST('/api/auth/register', { body, headers: { 'idempotency-key': idempotencyKey } })
          await signIn({ email: body.email, password: body.password })
        }}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="company_name"
              label="Company name"
              autocomplete="organization"
              required
            />
            <TextField form={form} name="name" label="Name" autocomplete="name" required />
            <TextField form={form} name="email" label="Email" type="email" autocomplete="username" required />
            <PasswordField
              form={form}
              name="password"
              label="Password"
              autocomplete="new-password"
              hint="At least 8 characters."
              required
            />
          </>
        )}
      </Form>
    </Page>
  )
}
