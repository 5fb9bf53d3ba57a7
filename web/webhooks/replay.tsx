import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { FieldFrame, type FieldProps, useField } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import type { Values } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import type { WebhooksClient } from './client.ts'
import { eventIdAt } from './event-ids.ts'
import { TypesField } from './types-field.tsx'

const hourMs = 3_600_000

/** As an input of the browser has it: in local time, without a zone. */
const localText = (moment: Date) =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

function MomentField<V extends Values>(props: FieldProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <input
        {...attributes}
        type="datetime-local"
        value={String(value ?? '')}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}

/** Sends events of a time again, such as those that happened while the webhook was off. */
export function ReplayDialog(props: { client: WebhooksClient; id: string; onClose: () => void }) {
  const { client, id, onClose } = props
  const queries = useQueryClient()
  return (
    <Dialog title="Replay events" onClose={onClose}>
      <Form
        initial={{ after: localText(new Date(Date.now() - 24 * hourMs)), until: '', types: ['*'] }}
        submit="Replay events"
        onCancel={onClose}
        careless
        onSubmit={async ({ after, until, types }) => {
          const n = await client.replay(id, {
            after: eventIdAt(new Date(after)),
            ...(until ? { until: eventIdAt(new Date(until)) } : {}),
            ...(types.length === 0 || types.includes('*') ? {} : { types }),
          })
          await queries.invalidateQueries({ queryKey: ['deliveries', id] })
          onClose()
          toast(n === 0 ? 'No event to replay' : `${counted(n, 'event')} will be sent again`)
        }}
      >
        {(form) => (
          <>
            <MomentField form={form} name="after" label="From" required />
            <MomentField
              form={form}
              name="until"
              label="Until"
              hint="Leave it empty for everything until now."
            />
            <TypesField form={form} name="types" label="Events" types={client.eventTypes} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
