import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckField, SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { SizeField } from '#web/components/size-field.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '../api.ts'

const visibilities = [
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
]

const initial = {
  name: '',
  visibility: 'private' as 'private' | 'public',
  versioningEnabled: true,
  storageQuotaBytes: null as number | null,
}

export function NewBucket({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { route } = useLocation()
  return (
    <Dialog title="New bucket" onClose={onClose}>
      <Form
        initial={initial}
        submit="Create bucket"
        onCancel={onClose}
        onSubmit={async (body, { idempotencyKey }) => {
          const { data } = await api.POST('/buckets', {
            body,
            headers: { 'idempotency-key': idempotencyKey },
          })
          await queries.invalidateQueries({ queryKey: ['buckets'] })
          onClose()
          toast(`Bucket ${data.name} created`)
          route(`/console/buckets/${data.id}`)
        }}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="name"
              label="Name"
              hint="Lowercase letters, digits, dots and hyphens."
              mono
              required
            />
            <SelectField
              form={form}
              name="visibility"
              label="Visibility"
              hint="Objects of a public bucket can be read by everybody who knows their address."
              options={visibilities}
            />
            <CheckField
              form={form}
              name="versioningEnabled"
              label="Versioning"
              hint="Keeps what is overwritten, so that it can be restored."
            />
            <SizeField
              form={form}
              name="storageQuotaBytes"
              label="Quota"
              placeholder="No limit"
              hint="The most that this bucket may hold. Leave it empty for no limit of its own."
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
