import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import { bodyOf, SupplierFields, valuesOf } from './supplier-fields.tsx'

export function NewSupplier({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { route } = useLocation()
  return (
    <Dialog title="New supplier" wide onClose={onClose}>
      <Form
        initial={valuesOf()}
        submit="Create supplier"
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const { data } = await api.POST('/api/suppliers', {
            body: bodyOf(values),
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['suppliers'] })
          onClose()
          toast(`${data.name} created`)
          route(`/console/suppliers/${data.id}`)
        }}
      >
        {(form) => <SupplierFields form={form} />}
      </Form>
    </Dialog>
  )
}
