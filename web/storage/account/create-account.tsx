import { PasswordField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'
import { signIn } from '#web/frame/session.ts'
import { api } from '../api.ts'

const initial = { organizationName: '', organizationSlug: '', fullName: '', email: '', password: '' }

export function CreateAccount() {
  return (
    <Page title="Create an account">
      <Form
        initial={initial}
        submit="Create account"
        careless
        onSubmit={async (body, { idempotencyKey }) => {
          await api.POST('/auth/register', { body, headers: { 'idempotency-key': idempotencyKey } })
          await signIn({ email: body.email, password: body.password })
        }}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="organizationName"
              label="Organization name"
              autocomplete="organization"
              required
            />
            <TextField
              form={form}
              name="organizationSlug"
              label="Organization slug"
              hint="A short name for addresses: lowercase letters, digits and hyphens."
              mono
              required
            />
            <TextField form={form} name="fullName" label="Full name" autocomplete="name" required />
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
