import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField, SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Product, type StockRow } from '../api.ts'
import { useBatchOptions } from '../shared/batches.ts'
import { productQuery } from '../shared/products.ts'
import { serialRefusals, serialsIn } from '../shared/serials.ts'
import { SerialsField } from '../shared/serials-field.tsx'
import { stockKeys } from '../shared/stock-keys.ts'
import { quantityRefusals } from './adjustment.ts'
import { warehousesQuery } from '../shared/warehouses.ts'

type Props = { row: StockRow; onClose: () => void }

export function Transfer({ row, onClose }: Props) {
  const { data: product, error, refetch } = useQuery(productQuery(row.product_id))
  return (
    <Dialog title="Transfer" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong>: {count(row.available)} available in {row.warehouse_name}.
      </p>
      {product ? (
        <TransferForm row={row} onClose={onClose} tracking={product.tracking_type} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={3} />
      )}
    </Dialog>
  )
}

const initial = { to_warehouse_id: '', batch_id: '', quantity: null as number | null, serials: '' }

/** Serial numbers that are named decide the quantity. */
const bodyOf = ({ to_warehouse_id, batch_id, quantity, serials }: typeof initial, row: StockRow) => {
  const named = serialsIn(serials)
  return {
    product_id: row.product_id,
    from_warehouse_id: row.warehouse_id,
    to_warehouse_id: Number(to_warehouse_id),
    quantity: named.length || (quantity ?? 0),
    ...(batch_id ? { batch_id: Number(batch_id) } : {}),
    ...(named.length > 0 ? { serials: named } : {}),
  }
}

const TransferForm = ({ row, onClose, tracking }: Props & { tracking: Product['tracking_type'] }) => {
  const queries = useQueryClient()
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const others = warehouses.filter(({ id }) => id !== row.warehouse_id)
  const batches = useBatchOptions(row.product_id, { warehouseId: row.warehouse_id }, tracking === 'batch')
  return (
    <Form
      initial={initial}
      submit="Transfer stock"
      onCancel={onClose}
      fieldOfCode={tracking === 'serial' ? serialRefusals : quantityRefusals}
      onSubmit={async (values, { idempotencyKey }) => {
        const body = bodyOf(values, row)
        await api.POST('/api/inventory/transfer', { body, headers: { 'idempotency-key': idempotencyKey } })
        for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
        onClose()
        const to = others.find(({ id }) => id === body.to_warehouse_id)
        toast(`${count(body.quantity)} × ${row.product_name} moved to ${to?.name}`)
      }}
    >
      {(form) => (
        <>
          <SelectField
            form={form}
            name="to_warehouse_id"
            label="To warehouse"
            options={[
              { value: '', label: others.length > 0 ? 'Choose…' : 'There is no other warehouse' },
              ...others.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            required
          />
          {tracking === 'batch' && (
            <SelectField
              form={form}
              name="batch_id"
              label="Batch"
              options={[{ value: '', label: 'What is in no batch, then the earliest expiry' }, ...batches]}
            />
          )}
          {tracking === 'serial' ? (
            <SerialsField form={form} />
          ) : (
            <NumberField form={form} name="quantity" label="Quantity" min={1} max={row.available} required />
          )}
        </>
      )}
    </Form>
  )
}
