import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { api, type Warehouse } from '../api.ts'
import { categoriesQuery } from '../products/categories.ts'

type Props = { warehouses: Warehouse[]; onClose: () => void }

export function NewCount({ warehouses, onClose }: Props) {
  const queries = useQueryClient()
  const { route } = useLocation()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const usual = warehouses.find(({ is_default }) => is_default) ?? warehouses[0]
  return (
    <Dialog title="New count" onClose={onClose}>
      <Form
        initial={{ warehouse_id: String(usual?.id ?? ''), category_id: '', notes: '' }}
        submit="Start count"
        onCancel={onClose}
        onSubmit={async ({ warehouse_id, category_id, notes }, { idempotencyKey }) => {
          const { data } = await api.POST('/api/counts', {
            body: {
              warehouse_id: Number(warehouse_id),
              category_id: Number(category_id) || null,
              notes: notes.trim() || null,
            },
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['counts'] })
          route(`/console/counts/${data.id}`)
        }}
      >
        {(form) => (
          <>
            <SelectField
              form={form}
              name="warehouse_id"
              label="Warehouse"
              options={warehouses.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <SelectField
              form={form}
              name="category_id"
              label="Category"
              hint="Only products of this category and those below it are counted."
              options={[
                { value: '', label: 'All products' },
                ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
            <TextField form={form} name="notes" label="Notes" />
          </>
        )}
      </Form>
    </Dialog>
  )
}
