import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Supplier } from '../api.ts'
import { bodyOf, SupplierFields, valuesOf } from './supplier-fields.tsx'

export function EditSupplier({ supplier, onClose }: { supplier: Supplier; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Edit supplier" wide onClose={onClose}>
      <Form
        initial={valuesOf(supplier)}
        submit="Save changes"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.PUT('/api/suppliers/{id}', {
            params: { path: { id: supplier.id } },
            body: bodyOf(values),
          })
          await queries.invalidateQueries({ queryKey: ['suppliers'] })
          onClose()
          toast(`${values.name} saved`)
        }}
      >
        {(form) => <SupplierFields form={form} />}
      </Form>
    </Dialog>
  )
}
