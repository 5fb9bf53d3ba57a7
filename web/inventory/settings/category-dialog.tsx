import { useQueryClient } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Schemas } from '../api.ts'
import { type Placed, parentsFor } from './category-tree.ts'

type Category = Placed<Schemas['Category']>
type Props = { tree: Category[]; category?: Category | undefined; inside?: Category; onClose: () => void }

/** Creates a category, or renames and moves one. */
export function CategoryDialog({ tree, category, inside, onClose }: Props) {
  const queries = useQueryClient()
  const parent = category ? category.parent_id : inside?.id
  return (
    <Dialog title={category ? 'Edit category' : 'New category'} onClose={onClose}>
      <Form
        initial={{ name: category?.name ?? '', parent_id: parent ? String(parent) : '' }}
        submit={category ? 'Save changes' : 'Create category'}
        onCancel={onClose}
        onSubmit={async ({ name, parent_id }, { idempotencyKey }) => {
          const body = { name, parent_id: parent_id ? Number(parent_id) : null }
          const headers = { 'idempotency-key': idempotencyKey }
          if (category)
            await api.PUT('/api/products/categories/{id}', {
              params: { path: { id: category.id } },
              body,
              headers,
            })
          else await api.POST('/api/products/categories', { body, headers })
          await queries.invalidateQueries({ queryKey: ['categories'] })
          onClose()
          toast(`${name} ${category ? 'saved' : 'created'}`)
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="name" label="Name" required />
            <SelectField
              form={form}
              name="parent_id"
              label="Inside"
              options={[
                { value: '', label: 'Nothing: at the top' },
                ...parentsFor(tree, category?.id).map(({ id, path }) => ({ value: String(id), label: path })),
              ]}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
