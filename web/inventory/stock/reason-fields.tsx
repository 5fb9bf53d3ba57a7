import { SelectField, TextField } from '#web/components/fields.tsx'
import type { FormState, Values } from '#web/components/form-state.ts'
import { reasons } from './adjustment.ts'

type Reasoned = Values & { reason: string; notes: string }

export const ReasonFields = <V extends Reasoned>({ form }: { form: FormState<V> }) => (
  <>
    <SelectField
      form={form}
      name="reason"
      label="Reason"
      options={reasons.map((reason) => ({ value: reason, label: reason }))}
    />
    <TextField form={form} name="notes" label="Notes" />
  </>
)
