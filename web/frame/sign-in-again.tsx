import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { PasswordField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { asking, renewSession } from './session.ts'
import { CodeField, needsCodeAfter } from './sign-in.tsx'

/** The session has expired: asks for the password in place, and whatever waits for it goes on. */
export function SignInAgain() {
  const asked = asking.value
  const [needsCode, setNeedsCode] = useState(false)
  if (!asked) return null
  return (
    <Dialog title="Your session has expired" onClose={() => asked.answer(false)}>
      <p>
        Sign in again as <strong>{asked.who.user.email}</strong> to go on where you were.
      </p>
      <Form
        initial={{ password: '', code: '' }}
        submit="Sign in"
        careless
        onSubmit={async ({ password, code }) => {
          try {
            await renewSession(password, code)
          } catch (error) {
            if (!needsCodeAfter(error, code)) throw error
            setNeedsCode(true)
          }
        }}
        after={<Button onClick={() => asked.answer(false)}>Sign out</Button>}
      >
        {(form) => (
          <>
            <PasswordField form={form} name="password" label="Password" required />
            {needsCode && <CodeField form={form} />}
          </>
        )}
      </Form>
    </Dialog>
  )
}
