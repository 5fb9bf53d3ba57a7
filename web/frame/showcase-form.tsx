import {
  CheckField,
  DateField,
  NumberField,
  PasswordField,
  RadioField,
  SelectField,
  TextareaField,
  TextField,
} from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { SizeField } from '#web/components/size-field.tsx'
import { toast } from '#web/components/toast.tsx'

const options = [
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
]

const initial = {
  title: '',
  secret: '',
  days: 30 as number | null,
  quota: (2 ** 30) as number | null,
  visibility: 'private',
  access: 'private',
  isKept: true,
  notes: '',
  from: '2026-11-16',
}

export function ShownForm({ onCancel }: { onCancel?: () => void }) {
  return (
    <Form
      initial={initial}
      submit="Save example"
      onCancel={onCancel}
      onSubmit={async () => toast('Example saved')}
    >
      {(form) => (
        <>
          <TextField form={form} name="title" label="Title" hint="What it is called." required />
          <PasswordField form={form} name="secret" label="Secret" />
          <NumberField form={form} name="days" label="Keep for" unit="days" min={1} />
          <SizeField form={form} name="quota" label="Quota" />
          <SelectField form={form} name="visibility" label="Visibility" options={options} />
          <RadioField form={form} name="access" label="Access" options={options} />
          <CheckField form={form} name="isKept" label="Keep versions" hint="What is overwritten stays." />
          <TextareaField form={form} name="notes" label="Notes" />
          <DateField form={form} name="from" label="From" />
        </>
      )}
    </Form>
  )
}
