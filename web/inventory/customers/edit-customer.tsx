import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Customer } from '../api.ts'
import { bodyOf, CustomerFields, valuesOf } from './customer-fields.tsx'

export function EditCustomer({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Edit customer" wide onClose={onClose}>
      <Form
        initial={valuesOf(customer)}
        submit="Save changes"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.PATCH('/api/customers/{id}', {
            params: { path: { id: customer.id } },
            body: changesOf(bodyOf(valuesOf(customer)), bodyOf(values)),
          })
          // Orders show the name of their customer.
          await Promise.all([
            queries.invalidateQueries({ queryKey: ['customers'] }),
            queries.invalidateQueries({ queryKey: ['orders'] }),
          ])
          onClose()
          toast(`${values.name} saved`)
        }}
      >
        {(form) => <CustomerFields form={form} />}
      </Form>
    </Dialog>
  )
}
