import { SelectField, TextField } from '#web/components/fields.tsx'
import type { FormState } from '#web/components/form-state.ts'
import type { Customer, Schemas } from '../api.ts'
import { typeOptions } from './words.ts'

type CustomerValues = {
  name: string
  email: string
  phone: string
  company: string
  customer_type: Customer['customer_type']
}

export const valuesOf = (customer?: Customer): CustomerValues => ({
  name: customer?.name ?? '',
  email: customer?.email ?? '',
  phone: customer?.phone ?? '',
  company: customer?.company ?? '',
  customer_type: customer?.customer_type ?? 'retail',
})

export const bodyOf = (values: CustomerValues): Schemas['CustomerInput'] => ({
  ...values,
  email: values.email.trim() || null,
  phone: values.phone.trim() || null,
  company: values.company.trim() || null,
})

export const CustomerFields = ({ form }: { form: FormState<CustomerValues> }) => (
  <>
    <TextField form={form} name="name" label="Name" required />
    <TextField form={form} name="company" label="Company" />
    <div class="field-pair">
      <TextField form={form} name="email" label="Email" type="email" />
      <TextField form={form} name="phone" label="Phone" type="tel" />
    </div>
    <SelectField form={form} name="customer_type" label="Customer type" options={typeOptions} />
  </>
)
