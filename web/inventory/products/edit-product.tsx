import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Product } from '../api.ts'
import { bodyOf, ProductFields, valuesOf } from './product-fields.tsx'

export function EditProduct({ product, onClose }: { product: Product; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Edit product" wide onClose={onClose}>
      <Form
        initial={valuesOf(product)}
        submit="Save changes"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.PATCH('/api/products/{id}', {
            params: { path: { id: product.id } },
            body: changesOf(bodyOf(valuesOf(product)), bodyOf(values)),
          })
          await queries.invalidateQueries({ queryKey: ['products'] })
          onClose()
          toast(`${values.name} saved`)
        }}
      >
        {(form) => <ProductFields form={form} />}
      </Form>
    </Dialog>
  )
}
