import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField, SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { count } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { api, type StockRow } from '../api.ts'
import { warehousesQuery } from '../shared/warehouses.ts'

export function Transfer({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const queries = useQueryClient()
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const others = warehouses.filter(({ id }) => id !== row.warehouse_id)
  return (
    <Dialog title="Transfer" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong>: {count(row.available)} available in {row.warehouse_name}.
      </p>
      <Form
        initial={{ to_warehouse_id: '', quantity: null as number | null }}
        submit="Transfer stock"
        onCancel={onClose}
        onSubmit={async ({ to_warehouse_id, quantity }, { idempotencyKey }) => {
          await api.POST('/api/inventory/transfer', {
            body: {
              product_id: row.product_id,
              from_warehouse_id: row.warehouse_id,
              to_warehouse_id: Number(to_warehouse_id),
              quantity: quantity ?? 0,
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['stock'] })
          await queries.invalidateQueries({ queryKey: ['products'] })
          onClose()
          const to = others.find(({ id }) => String(id) === to_warehouse_id)
          toast(`${count(quantity ?? 0)} × ${row.product_name} moved to ${to?.name}`)
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
            <NumberField form={form} name="quantity" label="Quantity" min={1} max={row.available} required />
          </>
        )}
      </Form>
    </Dialog>
  )
}
