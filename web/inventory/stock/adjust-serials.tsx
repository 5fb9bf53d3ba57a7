import { useQueryClient } from '@tanstack/preact-query'
import { RadioField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type StockRow } from '../api.ts'
import { serialRefusals, serialsIn } from '../shared/serials.ts'
import { SerialsField } from '../shared/serials-field.tsx'
import { stockKeys } from '../shared/stock-keys.ts'
import { notesOf } from './adjustment.ts'
import { ReasonFields } from './reason-fields.tsx'

const changes = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove', hint: 'The units are scrapped.' },
]

/** The units of a serial-tracked product come and go by their numbers. */
export function AdjustSerials({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Form
      initial={{ change: 'add', serials: '', reason: 'Received', notes: '' }}
      submit="Adjust stock"
      onCancel={onClose}
      fieldOfCode={{ ...serialRefusals, not_enough_in_warehouse: 'serials' }}
      onSubmit={async ({ change, serials: text, reason, notes }, { idempotencyKey }) => {
        const serials = serialsIn(text)
        const { data } = await api.POST('/api/inventory/adjust', {
          body: {
            product_id: row.product_id,
            warehouse_id: row.warehouse_id,
            quantity: change === 'add' ? serials.length : -serials.length,
            serials,
            notes: notesOf(reason, notes),
          },
          headers: { 'idempotency-key': idempotencyKey },
        })
        for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
        onClose()
        toast(`${row.product_name}: ${count(data.new_quantity)} on hand`)
      }}
    >
      {(form) => (
        <>
          <RadioField form={form} name="change" label="Change" options={changes} />
          <SerialsField form={form} autofocus />
          <ReasonFields form={form} />
        </>
      )}
    </Form>
  )
}
