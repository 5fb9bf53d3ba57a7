import { useEffect, useRef, useState } from 'preact/hooks'
import { TrivetError } from '#sdk/index.ts'
import { PasswordField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { siteName } from '#web/components/page.tsx'
import { signIn } from './session.ts'

/** Whether a code is needed that was not sent. */
export const needsCodeAfter = (error: unknown, sentCode: string) =>
  error instanceof TrivetError && !sentCode && error.fields.some(({ field }) => field === 'code')

export function CodeField<V extends { code: string }>({ form }: { form: FormState<V> }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={place}>
      <TextField
        form={form}
        name="code"
        label="Code"
        hint="Six digits from your authenticator."
        inputMode="numeric"
        maxLength={6}
        autocomplete="one-time-code"
        required
      />
    </div>
  )
}

export function SignIn() {
  const [needsCode, setNeedsCode] = useState(false)
  useEffect(() => {
    document.title = `Sign in · ${siteName.value}`
  }, [])
  return (
    <>
      <h1>Sign in</h1>
      <Form
        initial={{ email: '', password: '', code: '' }}
        submit="Sign in"
        careless
        onSubmit={async ({ email, password, code }) => {
          try {
            await signIn({ email, password, ...(code ? { code } : {}) })
          } catch (error) {
            if (!needsCodeAfter(error, code)) throw error
            setNeedsCode(true)
          }
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="email" label="Email" type="email" autocomplete="username" required />
            <PasswordField form={form} name="password" label="Password" required />
            {needsCode && <CodeField form={form} />}
          </>
        )}
      </Form>
    </>
  )
}
