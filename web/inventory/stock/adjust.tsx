import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField, RadioField, SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type StockRow } from '../api.ts'
import { productQuery } from '../products/queries.ts'
import { unitOf } from '../scan/of-product.ts'
import { ScanLine } from '../scan/scan-line.tsx'
import { BatchSelect, batchNamed } from '../shared/batch-select.tsx'
import { type Change, changes, differenceOf, notesOf, reasons } from './adjustment.ts'

const initial = {
  change: 'add' as Change,
  quantity: null as number | null,
  batch_id: null as number | null,
  reason: 'Received',
  notes: '',
}

export function Adjust({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const queries = useQueryClient()
  const { data: product } = useQuery(productQuery(row.product_id))
  return (
    <Dialog title="Adjust" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong> in {row.warehouse_name}: {count(row.quantity)} on hand,{' '}
        {count(row.reserved_quantity)} reserved.
      </p>
      <Form
        initial={initial}
        submit="Adjust stock"
        onCancel={onClose}
        onSubmit={async ({ change, quantity, batch_id, reason, notes }, { idempotencyKey }) => {
          const difference = differenceOf(change, quantity, row.quantity)
          if (difference === null) throw new Error('This would not change the stock.')
          const { data } = await api.POST('/api/inventory/adjust', {
            body: {
              product_id: row.product_id,
              warehouse_id: row.warehouse_id,
              quantity: difference,
              batch_id,
              notes: notesOf(reason, notes),
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['stock'] })
          await queries.invalidateQueries({ queryKey: ['products'] })
          onClose()
          toast(`${row.product_name}: ${count(data.new_quantity)} on hand`)
        }}
      >
        {(form) => {
          const { change, quantity } = form.values.value
          const difference = differenceOf(change, quantity, row.quantity)
          return (
            <>
              {product && (
                <ScanLine
                  onScan={async (text) => {
                    const { batch } = await unitOf(product, text)
                    if (batch) form.set('batch_id', (await batchNamed(product, batch)).id)
                    form.set('quantity', (form.values.value.quantity ?? 0) + 1)
                    return ''
                  }}
                />
              )}
              <RadioField form={form} name="change" label="Change" options={changes} />
              <NumberField
                form={form}
                name="quantity"
                label="Quantity"
                min={0}
                hint={difference === null ? ' ' : `Then ${count(row.quantity + difference)} on hand.`}
                autofocus
                required
              />
              {product?.tracking_type === 'batch' && (
                <BatchSelect
                  product={product}
                  warehouseId={row.warehouse_id}
                  value={form.values.value.batch_id}
                  onChange={(batch_id) => form.set('batch_id', batch_id)}
                  none="In no batch"
                />
              )}
              <SelectField
                form={form}
                name="reason"
                label="Reason"
                options={reasons.map((reason) => ({ value: reason, label: reason }))}
              />
              <TextField form={form} name="notes" label="Notes" />
            </>
          )
        }}
      </Form>
    </Dialog>
  )
}
