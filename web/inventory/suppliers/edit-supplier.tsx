import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
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
          await api.PATCH('/api/suppliers/{id}', {
            params: { path: { id: supplier.id } },
            body: changesOf(bodyOf(valuesOf(supplier)), bodyOf(values)),
          })
          // Purchase orders show the name of their supplier.
          await Promise.all([
            queries.invalidateQueries({ queryKey: ['suppliers'] }),
            queries.invalidateQueries({ queryKey: ['purchasing'] }),
          ])
          onClose()
          toast(`${values.name} saved`)
        }}
      >
        {(form) => <SupplierFields form={form} />}
      </Form>
    </Dialog>
  )
}
