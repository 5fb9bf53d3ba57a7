import { Dialog } from '#web/components/dialog.tsx'
import { CheckField, DateField, NumberField, TextareaField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { SizeField } from '#web/components/size-field.tsx'
import { type Rule, type RuleValues, valuesOf } from './rules.ts'

type Props = {
  rule?: Rule | undefined
  onSave: (values: RuleValues) => Promise<unknown>
  onClose: () => void
}

export function RuleDialog({ rule, onSave, onClose }: Props) {
  return (
    <Dialog title={rule ? `Edit rule ${rule.id}` : 'New rule'} onClose={onClose}>
      <Form
        initial={valuesOf(rule)}
        submit={rule ? 'Save changes' : 'Create rule'}
        onCancel={onClose}
        onSubmit={async (values) => {
          await onSave(values)
          onClose()
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="id" label="Name" hint="Made up if you leave it empty." />
            <Scope form={form} />
            <Effects form={form} />
            <CheckField form={form} name="enabled" label="Enabled" />
          </>
        )}
      </Form>
    </Dialog>
  )
}

const Scope = ({ form }: { form: FormState<RuleValues> }) => (
  <>
    <TextField
      form={form}
      name="prefix"
      label="Keys that begin with"
      placeholder="All keys"
      hint="Such as drafts/"
      mono
    />
    <details class="more">
      <summary>Only some of them, by tags or size</summary>
      <div class="form stack">
        <TextareaField
          form={form}
          name="tags"
          label="Tags"
          hint="One in each line: name=value"
          rows={2}
          mono
        />
        <SizeField form={form} name="min_size_bytes" label="Smallest size" placeholder="Any" />
        <SizeField form={form} name="max_size_bytes" label="Largest size" placeholder="Any" />
      </div>
    </details>
  </>
)

const Effects = ({ form }: { form: FormState<RuleValues> }) => (
  <>
    <NumberField
      form={form}
      name="expiration_days"
      label="Delete objects after"
      unit="days"
      min={1}
      placeholder="Never"
      hint="They can be recovered from the trash for a while."
    />
    <NumberField
      form={form}
      name="noncurrent_days"
      label="Remove old versions and deleted objects after"
      unit="days"
      min={1}
      placeholder="Never"
      hint="For good: they cannot be recovered after that."
    />
    <NumberField
      form={form}
      name="abort_uploads_days"
      label="End unfinished uploads after"
      unit="days"
      min={1}
      placeholder="Never"
    />
    <details class="more">
      <summary>More</summary>
      <div class="form stack">
        <DateField form={form} name="expiration_date" label="Delete objects from" hint="At midnight UTC." />
        <NumberField
          form={form}
          name="newer_noncurrent_versions"
          label="Newest old versions to keep"
          min={1}
          max={100}
          placeholder="None"
        />
        <CheckField
          form={form}
          name="expired_delete_markers"
          label="Remove deleted objects of which no version is left"
        />
      </div>
    </details>
  </>
)
