import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Batch } from '../api.ts'
import { BatchFields, bodyOf, valuesOf } from './batch-fields.tsx'

export function EditBatch({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <Dialog title="Edit batch" wide onClose={onClose}>
      <Form
        initial={valuesOf(batch)}
        submit="Save changes"
        onCancel={onClose}
        onSubmit={async (values) => {
          await api.PATCH('/api/batches/{id}', {
            params: { path: { id: batch.id } },
            body: changesOf(bodyOf(valuesOf(batch)), bodyOf(values)),
          })
          await queries.invalidateQueries({ queryKey: ['batches'] })
          onClose()
          toast(`Batch ${values.batch_number} saved`)
        }}
      >
        {(form) => <BatchFields form={form} />}
      </Form>
    </Dialog>
  )
}
