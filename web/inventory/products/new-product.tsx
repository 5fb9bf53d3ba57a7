import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import { bodyOf, ProductFields, valuesOf } from './product-fields.tsx'

export function NewProduct({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { route } = useLocation()
  return (
    <Dialog title="New product" wide onClose={onClose}>
      <Form
        initial={valuesOf()}
        submit="Create product"
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const { data } = await api.POST('/api/products', {
            body: bodyOf(values),
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['products'] })
          onClose()
          toast(`${data.name} created`)
          route(`/console/products/${data.id}`)
        }}
      >
        {(form) => <ProductFields form={form} />}
      </Form>
    </Dialog>
  )
}
