import { NumberField, TextField } from '#web/components/fields.tsx'
import type { FormState } from '#web/components/form-state.ts'
import type { Schemas, Supplier } from '../api.ts'

type SupplierValues = {
  name: string
  email: string
  phone: string
  payment_terms: string
  lead_time_days: number | null
}

export const valuesOf = (supplier?: Supplier): SupplierValues => ({
  name: supplier?.name ?? '',
  email: supplier?.email ?? '',
  phone: supplier?.phone ?? '',
  payment_terms: supplier?.payment_terms ?? '',
  lead_time_days: supplier?.lead_time_days ?? null,
})

export const bodyOf = (values: SupplierValues): Schemas['NewSupplier'] => ({
  ...values,
  email: values.email.trim() || null,
  phone: values.phone.trim() || null,
  payment_terms: values.payment_terms.trim() || null,
})

export const SupplierFields = ({ form }: { form: FormState<SupplierValues> }) => (
  <>
    <TextField form={form} name="name" label="Name" required />
    <div class="field-pair">
      <TextField form={form} name="email" label="Email" type="email" />
      <TextField form={form} name="phone" label="Phone" type="tel" />
    </div>
    <div class="field-pair">
      <TextField form={form} name="payment_terms" label="Payment terms" placeholder="Net 30" />
      <NumberField
        form={form}
        name="lead_time_days"
        label="Lead time"
        unit="days"
        min={0}
        hint="From order to delivery; suggestions to reorder count with it."
      />
    </div>
  </>
)
