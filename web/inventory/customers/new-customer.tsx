import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import { bodyOf, CustomerFields, valuesOf } from './customer-fields.tsx'

export function NewCustomer({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { route } = useLocation()
  return (
    <Dialog title="New customer" wide onClose={onClose}>
      <Form
        initial={valuesOf()}
        submit="Create customer"
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const { data } = await api.POST('/api/customers', {
            body: bodyOf(values),
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['customers'] })
          onClose()
          toast(`${data.name} created`)
          route(`/console/customers/${data.id}`)
        }}
      >
        {(form) => <CustomerFields form={form} />}
      </Form>
    </Dialog>
  )
}
