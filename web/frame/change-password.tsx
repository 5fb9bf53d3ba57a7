import { useState } from 'preact/hooks'
import { Card } from '#web/components/card.tsx'
import { CheckField, PasswordField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'

type Values<Current extends string, Next extends string, Revoke extends string> = Record<
  Current | Next,
  string
> &
  Record<Revoke, boolean>

type Props<Current extends string, Next extends string, Revoke extends string> = {
  /** What the API of the service calls the fields. */
  names: { current: Current; next: Next; revokeKeys: Revoke }
  send: (values: Values<Current, Next, Revoke>) => Promise<unknown>
}

/** A wrong current password is shown at its field; the session goes on. */
export function ChangePassword<C extends string, N extends string, R extends string>(props: Props<C, N, R>) {
  const { current, next, revokeKeys } = props.names
  const [changes, setChanges] = useState(0)
  return (
    <Card title="Password" text="Other sessions end when you change it; this one stays.">
      <Form
        key={changes}
        initial={{ [current]: '', [next]: '', [revokeKeys]: false } as Values<C, N, R>}
        submit="Change password"
        fieldOfCode={{ unauthorized: current }}
        onSubmit={async (values) => {
          await props.send(values)
          setChanges(changes + 1)
          toast('Password changed')
        }}
      >
        {(form) => (
          <>
            <PasswordField form={form} name={current} label="Current password" required />
            <PasswordField
              form={form}
              name={next}
              label="New password"
              hint="At least 8 characters."
              autocomplete="new-password"
              required
            />
            <CheckField form={form} name={revokeKeys} label="Also revoke my API keys" />
          </>
        )}
      </Form>
    </Card>
  )
}
