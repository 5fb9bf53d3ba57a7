import { useQueryClient } from '@tanstack/preact-query'
import { NumberField, RadioField, SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type Product, type StockRow } from '../api.ts'
import { maxQuantity } from '../shared/amounts.ts'
import { useBatchOptions } from '../shared/batches.ts'
import { stockKeys } from '../shared/stock-keys.ts'
import { type Change, changes, differenceOf, notesOf, quantityRefusals } from './adjustment.ts'
import { ReasonFields } from './reason-fields.tsx'
import { ScanUnits } from './scan-units.tsx'

type Props = { row: StockRow; product: Product; onClose: () => void }

const initial = {
  change: 'add' as Change,
  batch_id: '',
  quantity: null as number | null,
  reason: 'Received',
  notes: '',
}

const withoutBatch: Record<Change, string> = {
  add: 'Without a batch',
  remove: 'What is in no batch, then the earliest expiry',
  set: 'All of it',
}

export function AdjustQuantity({ row, product, onClose }: Props) {
  const hasBatches = product.tracking_type === 'batch'
  const queries = useQueryClient()
  const batches = useBatchOptions(row.product_id, { warehouseId: row.warehouse_id, all: true }, hasBatches)
  const onHand = (batch: string) => batches.find(({ value }) => value === batch)?.quantity ?? row.quantity
  return (
    <Form
      initial={initial}
      submit="Adjust stock"
      onCancel={onClose}
      fieldOfCode={quantityRefusals}
      onSubmit={async ({ change, batch_id, quantity, reason, notes }, { idempotencyKey }) => {
        const difference = differenceOf(change, quantity, onHand(batch_id))
        if (difference === null) throw new Error('This would not change the stock.')
        const { data } = await api.POST('/api/inventory/adjust', {
          body: {
            product_id: row.product_id,
            warehouse_id: row.warehouse_id,
            quantity: difference,
            ...(batch_id ? { batch_id: Number(batch_id) } : {}),
            notes: notesOf(reason, notes),
          },
          headers: { 'idempotency-key': idempotencyKey },
        })
        for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
        onClose()
        toast(`${row.product_name}: ${count(data.new_quantity)} on hand`)
      }}
    >
      {(form) => {
        const { change, batch_id, quantity } = form.values.value
        const difference = differenceOf(change, quantity, onHand(batch_id))
        const then = difference === null ? null : count(onHand(batch_id) + difference)
        return (
          <>
            <ScanUnits form={form} product={product} />
            <RadioField form={form} name="change" label="Change" options={changes} />
            {hasBatches && (
              <SelectField
                form={form}
                name="batch_id"
                label="Batch"
                options={[{ value: '', label: withoutBatch[change] }, ...batches]}
              />
            )}
            <NumberField
              form={form}
              name="quantity"
              label="Quantity"
              min={0}
              max={maxQuantity}
              hint={then === null ? ' ' : batch_id ? `Then ${then} of this batch.` : `Then ${then} on hand.`}
              autofocus
              required
            />
            <ReasonFields form={form} />
          </>
        )
      }}
    </Form>
  )
}
