import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { WebhookInput } from './client.ts'
import { TypesField } from './types-field.tsx'

type Values = { url: string; types: string[]; description: string }

/** Address, types and description of a webhook, for a new one and for changes. */
export function WebhookForm(props: {
  initial: WebhookInput
  eventTypes: readonly string[]
  submit: string
  onSubmit: (input: WebhookInput, attempt: { idempotencyKey: string }) => Promise<unknown>
  onCancel: () => unknown
}) {
  const { initial, eventTypes, submit, onSubmit, onCancel } = props
  const values: Values = { ...initial, description: initial.description ?? '' }
  return (
    <Form
      initial={values}
      submit={submit}
      onCancel={onCancel}
      onSubmit={({ description, ...rest }, attempt) =>
        onSubmit({ ...rest, description: description || null }, attempt)
      }
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="url"
            label="URL"
            type="url"
            placeholder="https://example.com/hooks/trivet"
            hint="Receives a signed POST request for each event."
            required
          />
          <TypesField form={form} name="types" label="Events" types={eventTypes} />
          <TextField form={form} name="description" label="Description" />
        </>
      )}
    </Form>
  )
}
