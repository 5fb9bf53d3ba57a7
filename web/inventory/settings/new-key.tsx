import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { CreatedKey } from '#web/components/created-key.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { DateField, RadioField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { SnippetTabs } from '#web/components/snippet-tabs.tsx'
import { api } from '../api.ts'
import { snippetsOf } from './snippets.ts'

const permissions = [
  { value: 'read', label: 'Read', hint: 'Products, stock, orders and customers.' },
  { value: 'write', label: 'Read and write', hint: 'Also places orders and sets stock.' },
]

export function NewKey({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Dialog title="New key" wide={secret !== null} onClose={onClose}>
      {secret !== null ? (
        <CreatedKey secret={secret} onClose={onClose}>
          <SnippetTabs snippets={snippetsOf(location.origin, secret)} />
        </CreatedKey>
      ) : (
        <Form
          initial={{ name: '', permissions: 'read', expires_at: '' }}
          submit="Create key"
          onCancel={onClose}
          onSubmit={async ({ name, permissions, expires_at }) => {
            const { data } = await api.POST('/api/api-keys', {
              body: {
                name,
                permissions: permissions === 'write' ? ['read', 'write'] : ['read'],
                expires_at: expires_at || null,
              },
            })
            setSecret(data.key)
            await queries.invalidateQueries({ queryKey: ['keys'] })
          }}
        >
          {(form) => (
            <>
              <TextField
                form={form}
                name="name"
                label="Name"
                hint="What it is for, such as the program that will use it."
                required
              />
              <RadioField form={form} name="permissions" label="Permissions" options={permissions} />
              <DateField
                form={form}
                name="expires_at"
                label="Last day"
                hint="Leave it empty for a key that works until it is revoked."
              />
            </>
          )}
        </Form>
      )}
    </Dialog>
  )
}
