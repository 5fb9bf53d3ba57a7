import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { CreatedKey } from '#web/components/created-key.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { api } from '../api.ts'
import { KeySnippets } from './key-snippets.tsx'
import type { NewApiKey } from './queries.ts'

export function NewKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [created, setCreated] = useState<NewApiKey | null>(null)
  return (
    <Dialog title="New key" wide={created !== null} onClose={onClose}>
      {created ? (
        <CreatedKey secret={created.key} onClose={onClose}>
          <KeySnippets created={created} />
        </CreatedKey>
      ) : (
        <Form
          initial={{ label: '' }}
          submit="Create key"
          onCancel={onClose}
          onSubmit={async (body) => {
            const { data } = await api.POST('/auth/api-keys', { body })
            setCreated(data as NewApiKey)
            await queries.invalidateQueries({ queryKey: ['keys'] })
          }}
        >
          {(form) => (
            <TextField
              form={form}
              name="label"
              label="Label"
              hint="What it is for, such as the program that will use it. It acts with your role."
              required
            />
          )}
        </Form>
      )}
    </Dialog>
  )
}
