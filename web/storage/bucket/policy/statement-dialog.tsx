import { Dialog } from '#web/components/dialog.tsx'
import { NumberField, RadioField, SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { type StatementValues, statementOf, valuesOf } from './statement-values.ts'
import {
  actions,
  conditionLabels,
  describeStatement,
  families,
  faultsOf,
  type Statement,
  sayFault,
} from './statements.ts'
import { SubjectField } from './subject-field.tsx'
import type { Subjects } from './subjects.ts'

type Props = {
  statement?: Statement | undefined
  subjects: Subjects
  onSave: (statement: Statement) => Promise<unknown>
  onClose: () => void
}

const everybody = [
  { value: 'role:*', label: 'Every role' },
  { value: 'user:*', label: 'Every person' },
  { value: 'api_key:*', label: 'Every key' },
]
const effects = [
  { value: 'allow', label: 'Allow' },
  { value: 'deny', label: 'Deny', hint: 'Wins over every statement that allows it.' },
]
const actionOptions = Object.entries({ ...actions, ...families }).map(([value, words]) => ({
  value,
  label: `${words.charAt(0).toUpperCase()}${words.slice(1)} (${value})`,
}))
const resources = [
  { value: 'object', label: 'Objects' },
  { value: 'bucket', label: 'The bucket' },
]

export function StatementDialog({ statement, subjects, onSave, onClose }: Props) {
  return (
    <Dialog title={statement ? 'Edit statement' : 'New statement'} onClose={onClose}>
      <Form
        initial={valuesOf(statement)}
        submit={statement ? 'Save changes' : 'Add statement'}
        onCancel={onClose}
        onSubmit={async (values) => {
          await onSave(statementOf(values))
          onClose()
        }}
      >
        {(form) => (
          <>
            <RadioField form={form} name="effect" label="Effect" options={effects} />
            <SubjectField form={form} name="subject" label="Who" subjects={subjects} more={everybody} />
            <SelectField form={form} name="action" label="Action" options={actionOptions} />
            <SelectField form={form} name="resourceType" label="On" options={resources} />
            <TextField
              form={form}
              name="resourceId"
              label="Pattern"
              hint="Of the key, or the name of the bucket; * stands for any run of characters."
              mono
              required
            />
            <Conditions form={form} />
            <Preview form={form} subjects={subjects} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

const Conditions = ({ form }: { form: FormState<StatementValues> }) => {
  const { ipCidr, notIpCidr, notBefore, expiresAt, prefix, contentType, maxSizeBytes } = conditionLabels
  return (
    <details class="more">
      <summary>Conditions</summary>
      <div class="form stack">
        <TextField form={form} name="ipCidr" label={ipCidr} placeholder="10.0.0.0/8, 2001:db8::/32" mono />
        <TextField form={form} name="notIpCidr" label={notIpCidr} placeholder="192.0.2.0/24" mono />
        <TextField form={form} name="notBefore" label={notBefore} placeholder="2026-11-30T09:30:00Z" mono />
        <TextField form={form} name="expiresAt" label={expiresAt} placeholder="2026-12-31T00:00:00Z" mono />
        <TextField form={form} name="prefix" label={prefix} placeholder="photos/" mono />
        <TextField form={form} name="contentType" label={contentType} placeholder="image/*" mono />
        <NumberField form={form} name="maxSizeBytes" label={maxSizeBytes} min={0} placeholder="Any" />
      </div>
    </details>
  )
}

/** Says while one types what the statement means, or what is wrong with it. */
const Preview = ({ form, subjects }: { form: FormState<StatementValues>; subjects: Subjects }) => {
  const statement = statementOf(form.values.value)
  const faults = faultsOf([statement])
  return (
    <div class={faults.length > 0 ? 'verdict bad' : 'verdict'} role="status">
      {faults.length > 0
        ? faults.map((fault) => (
            <p key={fault.field}>
              {sayFault({ ...fault, index: null, message: `${fault.field} ${fault.message}` })}
            </p>
          ))
        : describeStatement(statement, subjects.nameOf)}
    </div>
  )
}
