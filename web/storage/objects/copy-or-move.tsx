import { useQuery } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { counted } from '#web/components/format.ts'
import type { Bucket } from '../api.ts'
import { bucketsQuery } from '../buckets/queries.ts'
import { transfer } from './actions.ts'
import { fieldProblem } from './field-problem.ts'
import { FolderPicker } from './folder-picker.tsx'
import { faultOfKey, folderOf, isFolder, keyIn } from './paths.ts'
import { stepsInto, stepsTo } from './transfer.ts'

type Props = { action: 'copy' | 'move'; bucket: Bucket; keys: readonly string[]; onClose: () => void }

/** The folder in which a key is, also if the key is a folder itself. */
const parentOf = (key: string) => folderOf(isFolder(key) ? key.slice(0, -1) : key)

const asFolder = (text: string) => (text === '' || text.endsWith('/') ? text : `${text}/`)

/** Takes a bucket and a whole key; of several objects, a folder in which they keep their names. */
export function CopyOrMove({ action, bucket, keys, onClose }: Props) {
  const [first = ''] = keys
  const isOne = keys.length === 1
  const { data: buckets = [bucket] } = useQuery(bucketsQuery)
  const bucketOf = (id: string) => buckets.find((one) => one.id === id) ?? bucket

  const send = async ({ bucketId, key, folder }: { bucketId: string; key: string; folder: string }) => {
    const to = bucketOf(bucketId)
    const whole = isFolder(first) ? asFolder(key) : key
    const target = isOne ? whole : asFolder(folder)
    const fault = target === '' && !isOne ? null : faultOfKey(target)
    if (fault) throw fieldProblem(isOne ? 'key' : 'folder', fault)
    const isSame = to.id === bucket.id && (isOne ? target === first : target === parentOf(first))
    if (isSame) throw fieldProblem(isOne ? 'key' : 'folder', 'is where it is now')
    const isInside = to.id === bucket.id && keys.some((one) => isFolder(one) && target.startsWith(one))
    if (isInside)
      throw fieldProblem(isOne ? 'key' : 'folder', 'must not be inside of what is copied or moved')
    const ends = { action, from: bucket, to, keys }
    const steps = (objects: string[]) =>
      isOne ? stepsTo(first, target, objects) : stepsInto(target, keys, objects)
    if (await transfer(ends, steps)) onClose()
  }

  const verb = action === 'copy' ? 'Copy' : 'Move'
  const what = isOne ? (isFolder(first) ? 'folder' : 'object') : counted(keys.length, 'object')
  const initial = { bucketId: bucket.id, key: first, folder: parentOf(first) }
  return (
    <Dialog title={`${verb} ${what}`} onClose={onClose}>
      <Form initial={initial} submit={`${verb} ${what}`} onSubmit={send} onCancel={onClose}>
        {(form) => {
          const { bucketId, key, folder } = form.values.value
          const to = bucketOf(bucketId)
          const choose = (chosen: string) => {
            form.set('folder', chosen)
            form.set('key', keyIn(chosen, key || first))
          }
          return (
            <>
              <SelectField
                form={form}
                name="bucketId"
                label="Bucket"
                options={buckets.map(({ id, name }) => ({ value: id, label: name }))}
              />
              {isOne ? (
                <TextField form={form} name="key" label="Key" required mono hint="With all of its folders" />
              ) : (
                <TextField
                  form={form}
                  name="folder"
                  label="Folder"
                  mono
                  hint="They keep their names in it; empty for the top of the bucket"
                />
              )}
              <FolderPicker bucket={to} folder={isOne ? parentOf(key) : asFolder(folder)} onChoose={choose} />
            </>
          )
        }}
      </Form>
    </Dialog>
  )
}
