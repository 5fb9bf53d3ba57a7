import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { Bucket } from '../api.ts'
import { transfer } from './actions.ts'
import { fieldProblem } from './field-problem.ts'
import { faultOfName, folderOf, isFolder, nameOf, renamed } from './paths.ts'
import { stepsTo } from './transfer.ts'

export function Rename({
  bucket,
  objectKey: key,
  onClose,
}: {
  bucket: Bucket
  objectKey: string
  onClose: () => void
}) {
  const rename = async ({ name }: { name: string }) => {
    const fault = faultOfName(name, folderOf(key))
    if (fault) throw fieldProblem('name', fault)
    if (name === nameOf(key)) return onClose()
    const ends = { action: 'move', from: bucket, to: bucket, keys: [key] } as const
    if (await transfer(ends, (objects) => stepsTo(key, renamed(key, name), objects))) onClose()
  }
  const what = isFolder(key) ? 'folder' : 'object'
  return (
    <Dialog title={`Rename ${what}`} onClose={onClose}>
      <Form initial={{ name: nameOf(key) }} submit={`Rename ${what}`} onSubmit={rename} onCancel={onClose}>
        {(form) => <TextField form={form} name="name" label="Name" required />}
      </Form>
    </Dialog>
  )
}
