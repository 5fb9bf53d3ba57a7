import { useState } from 'preact/hooks'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'
import { linkKeeper } from './console.ts'

/** Asks for a link. `request` is what the service offers for that. It comes by mail, or from the operator. */
export function ForgotPassword({ request }: { request: (body: { email: string }) => Promise<unknown> }) {
  const [sentTo, setSentTo] = useState('')
  const isMailed = linkKeeper() === null
  return (
    <Page title="Forgot password?">
      {sentTo ? (
        <p role="status">
          If there is an account for {sentTo},{' '}
          {isMailed ? (
            'a link to choose a new password is on its way.'
          ) : (
            <>
              ask <Keeper /> for the link to choose a new password.
            </>
          )}{' '}
          It is valid for an hour.
        </p>
      ) : (
        <>
          {!isMailed && (
            <p>
              This server sends no mail. Enter your email address, and then ask <Keeper /> for the link to
              choose a new password.
            </p>
          )}
          <Form
            initial={{ email: '' }}
            submit={isMailed ? 'Send link' : 'Ask for a link'}
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
                hint={isMailed && 'You will get a link to choose a new password.'}
                required
              />
            )}
          </Form>
        </>
      )}
    </Page>
  )
}

const Keeper = () => {
  const keeper = linkKeeper()
  return keeper?.address ? <a href={keeper.address}>{keeper.name}</a> : keeper?.name
}
