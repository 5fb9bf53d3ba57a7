import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { api, type Bucket } from '../api.ts'
import { fieldProblem } from './field-problem.ts'
import { faultOfName } from './paths.ts'
import { renewObjects } from './queries.ts'

type Props = { bucket: Bucket; prefix: string; onClose: () => void; onCreated: (folder: string) => void }

/** An empty folder is an empty object whose key ends with a slash, as other clients of object storage make them. */
export function NewFolder({ bucket, prefix, onClose, onCreated }: Props) {
  const create = async ({ name }: { name: string }) => {
    const fault = faultOfName(name, prefix)
    if (fault) throw fieldProblem('name', fault)
    const folder = `${prefix}${name}/`
    const { objects } = await api.folder(bucket.id, { prefix: folder, limit: 1, count: false })
    if (objects.length > 0) throw fieldProblem('name', 'is the name of a folder that is there already')
    await api.upload(bucket.id, folder, new Blob([]), { contentType: 'application/x-directory' }).done
    await renewObjects(bucket.id)
    onCreated(folder)
  }
  return (
    <Dialog title="New folder" onClose={onClose}>
      <Form initial={{ name: '' }} submit="Create folder" onSubmit={create} onCancel={onClose}>
        {(form) => (
          <TextField
            form={form}
            name="name"
            label="Name"
            required
            hint={prefix ? `In ${prefix}` : `In ${bucket.name}`}
          />
        )}
      </Form>
    </Dialog>
  )
}
