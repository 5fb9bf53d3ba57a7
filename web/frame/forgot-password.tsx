import { useState } from 'preact/hooks'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'

/** Asks for a link by mail. `request` is what the service offers for that. */
export function ForgotPassword({ request }: { request: (body: { email: string }) => Promise<unknown> }) {
  const [sentTo, setSentTo] = useState('')
  return (
    <Page title="Forgot password?">
      {sentTo ? (
        <p role="status">
          If there is an account for {sentTo}, a link to choose a new password is on its way. It is valid for
          an hour.
        </p>
      ) : (
        <Form
          initial={{ email: '' }}
          submit="Send link"
          careless
          onSubmit={async (body) => {
            await request(body)
            setSentTo(body.email)
          }}
        >
          {(form) => (
            <TextField
              form={form}
              name="email"
              label="Email"
              type="email"
              autocomplete="username"
              hint="You will get a link to choose a new password."
              required
            />
          )}
        </Form>
      )}
    </Page>
  )
}
