import { DateField, TextareaField, TextField } from '#web/components/fields.tsx'
import type { FormState } from '#web/components/form-state.ts'
import type { Batch } from '../api.ts'

export type BatchValues = {
  batch_number: string
  lot_number: string
  manufacture_date: string
  expiry_date: string
  notes: string
}

export const valuesOf = (batch?: Batch): BatchValues => ({
  batch_number: batch?.batch_number ?? '',
  lot_number: batch?.lot_number ?? '',
  manufacture_date: batch?.manufacture_date ?? '',
  expiry_date: batch?.expiry_date ?? '',
  notes: batch?.notes ?? '',
})

const orNull = (text: string) => text.trim() || null

export const bodyOf = (values: BatchValues) => ({
  batch_number: values.batch_number.trim(),
  lot_number: orNull(values.lot_number),
  manufacture_date: orNull(values.manufacture_date),
  expiry_date: orNull(values.expiry_date),
  notes: orNull(values.notes),
})

export function BatchFields<V extends BatchValues>({ form }: { form: FormState<V> }) {
  return (
    <>
      <div class="field-pair">
        <TextField form={form} name="batch_number" label="Batch number" mono required />
        <TextField form={form} name="lot_number" label="Lot number" mono />
      </div>
      <div class="field-pair">
        <DateField form={form} name="manufacture_date" label="Manufacture date" />
        <DateField form={form} name="expiry_date" label="Expiry date" />
      </div>
      <TextareaField form={form} name="notes" label="Notes" rows={2} />
    </>
  )
}
