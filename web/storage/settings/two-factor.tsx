import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button, CopyButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { api, type Schemas } from '../api.ts'

type Setup = Schemas['TotpSetup']

export function TwoFactor({ isOn }: { isOn: boolean }) {
  const queries = useQueryClient()
  const [setup, setSetup] = useState<Setup | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const begin = async () => {
    setBusy(true)
    try {
      setSetup((await api.POST('/settings/totp/setup')).data)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  const done = async (text: string) => {
    setSetup(null)
    setLeaving(false)
    toast(text)
    await queries.invalidateQueries({ queryKey: ['account'] })
  }

  return (
    <Card
      title="Two-factor sign-in"
      text="A code from an authenticator app is needed besides the password."
      actions={isOn ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
    >
      {setup ? (
        <SetUp
          setup={setup}
          onCancel={() => setSetup(null)}
          onDone={() => done('Two-factor sign-in is on')}
        />
      ) : isLeaving ? (
        <Code
          submit="Turn off two-factor"
          danger
          hint="The code that your authenticator shows now."
          send={(body) => api.DELETE('/settings/totp', { body })}
          onCancel={() => setLeaving(false)}
          onDone={() => done('Two-factor sign-in is off')}
        />
      ) : (
        <div class="form-actions">
          {isOn ? (
            <Button onClick={() => setLeaving(true)}>Turn off two-factor</Button>
          ) : (
            <Button kind="primary" busy={isBusy} onClick={begin}>
              Set up two-factor
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

const SetUp = ({ setup, ...rest }: { setup: Setup; onCancel: () => void; onDone: () => unknown }) => (
  <div class="two-factor">
    <QrCode text={setup.otpauth_url} />
    <div class="stack">
      <p>Scan the code with your authenticator app, or enter the secret by hand:</p>
      <div class="secret">
        <code>{setup.secret}</code>
        <CopyButton text={setup.secret}>Copy</CopyButton>
      </div>
      <Code
        submit="Turn on two-factor"
        hint="Then enter the code that the app shows."
        send={(body) => api.POST('/settings/totp/verify', { body })}
        {...rest}
      />
    </div>
  </div>
)

const Code = (props: {
  submit: string
  hint: string
  danger?: boolean
  send: (body: { token: string }) => Promise<unknown>
  onCancel: () => void
  onDone: () => unknown
}) => (
  <Form
    initial={{ token: '' }}
    submit={props.submit}
    danger={props.danger ?? false}
    onCancel={props.onCancel}
    careless
    onSubmit={async ({ token }) => {
      await props.send({ token: token.replaceAll(' ', '') })
      await props.onDone()
    }}
  >
    {(form) => (
      <TextField
        form={form}
        name="token"
        label="Code"
        hint={props.hint}
        autocomplete="one-time-code"
        inputMode="numeric"
        mono
        required
      />
    )}
  </Form>
)
