import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { NumberField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type StockRow } from '../api.ts'
import { maxQuantity } from '../shared/amounts.ts'

export function ReorderLevel({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Reorder level" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong> in {row.warehouse_name}
      </p>
      <Form
        initial={{ reorder_level: row.reorder_level as number | null }}
        submit="Save changes"
        onCancel={onClose}
        onSubmit={async ({ reorder_level }) => {
          await api.PATCH('/api/inventory/{product_id}/{warehouse_id}', {
            params: { path: { product_id: row.product_id, warehouse_id: row.warehouse_id } },
            body: { reorder_level: reorder_level ?? 0 },
          })
          await queries.invalidateQueries({ queryKey: ['stock'] })
          onClose()
          toast('Reorder level saved')
        }}
      >
        {(form) => (
          <NumberField
            form={form}
            name="reorder_level"
            label="Reorder level"
            hint="At this quantity or below, stock counts as low and a reorder is suggested."
            min={0}
            max={maxQuantity}
            required
          />
        )}
      </Form>
    </Dialog>
  )
}
