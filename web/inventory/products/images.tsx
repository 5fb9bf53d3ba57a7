import { useQueryClient } from '@tanstack/preact-query'
import { Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { IconButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toastError } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Product, type Schemas } from '../api.ts'

/** Pictures of a product, by their addresses. */
export function Images({ product }: { product: Product }) {
  const { can } = useSession()
  const queries = useQueryClient()
  const [added, setAdded] = useState(0)
  const readAgain = () => queries.invalidateQueries({ queryKey: ['products'] })
  const remove = async (image: Schemas['Image']) => {
    const agreed = await confirm({
      title: 'Remove this image?',
      text: image.url,
      verb: 'Remove image',
      danger: true,
    })
    if (!agreed) return
    try {
      await api.DELETE('/api/products/{id}/images/{imageId}', {
        params: { path: { id: product.id, imageId: image.id } },
      })
      await readAgain()
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Card title="Images">
      {product.images.length > 0 ? (
        <ul class="images">
          {product.images.map((image, n) => (
            <li key={image.id}>
              <img
                src={image.url}
                alt={`${product.name}, ${n + 1}`}
                loading="lazy"
                referrerpolicy="no-referrer"
              />
              {can('product.write') && (
                <IconButton label={`Remove image ${n + 1}`} icon={Trash2} onClick={() => remove(image)} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">No images.</p>
      )}
      {can('product.write') && (
        <Form
          key={added}
          initial={{ url: '' }}
          submit="Add image"
          layout="line"
          onSubmit={async ({ url }, { idempotencyKey }) => {
            await api.POST('/api/products/{id}/images', {
              params: { path: { id: product.id } },
              body: { url },
              headers: { 'idempotency-key': idempotencyKey },
            })
            await readAgain()
            setAdded((n) => n + 1)
          }}
        >
          {(form) => (
            <TextField
              form={form}
              name="url"
              label="Image address"
              type="url"
              placeholder="https://…"
              required
            />
          )}
        </Form>
      )}
    </Card>
  )
}
