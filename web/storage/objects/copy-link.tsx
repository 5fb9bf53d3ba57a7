import { useEffect, useState } from 'preact/hooks'
import { pathOfKey } from '#sdk/index.ts'
import { CopyButton } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { When } from '#web/components/when.tsx'
import { api, type Bucket } from '../api.ts'
import { shownName } from './paths.ts'

const hour = 3600
const lifetimes = [
  { value: String(hour / 4), label: '15 minutes' },
  { value: String(hour), label: '1 hour' },
  { value: String(12 * hour), label: '12 hours' },
  { value: String(24 * hour), label: '1 day' },
  { value: String(7 * 24 * hour), label: '7 days' },
]

type Link = { url: string; expiresAt: string | null }

const publicAddress = (bucketId: string, key: string) =>
  `${location.origin}/public/objects/${bucketId}/${pathOfKey(key)}`

const sign = async (bucketId: string, objectKey: string, expiresIn: number): Promise<Link> => {
  const { data } = await api.POST('/buckets/{bucketId}/signed-url', {
    params: { path: { bucketId } },
    body: { objectKey, method: 'GET', expiresIn },
  })
  return data
}

/** Without a secure page there is no clipboard; the button beside the link finds another way. */
const copied = async (text: string) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

type Props = { bucket: Bucket; objectKey: string; onClose: () => void }

/** The public address of an object in a public bucket; otherwise a signed link with a chosen lifetime. */
export function CopyLink({ bucket, objectKey: key, onClose }: Props) {
  const isPublic = bucket.visibility === 'public'
  const [link, setLink] = useState<Link | null>(
    isPublic ? { url: publicAddress(bucket.id, key), expiresAt: null } : null,
  )
  const [isCopied, setCopied] = useState(false)
  const show = async (made: Link) => {
    setLink(made)
    setCopied(await copied(made.url))
  }
  useEffect(() => {
    if (isPublic) void copied(publicAddress(bucket.id, key)).then(setCopied)
  }, [])
  const create = async ({ lifetime }: { lifetime: string }) =>
    show(await sign(bucket.id, key, Number(lifetime)))
  return (
    <Dialog title={`Link to ${shownName(key)}`} onClose={onClose}>
      {!isPublic && (
        <Form initial={{ lifetime: String(hour) }} submit="Copy link" onSubmit={create} careless>
          {(form) => (
            <SelectField
              form={form}
              name="lifetime"
              label="Lifetime"
              options={lifetimes}
              hint="Whoever has the link can download the object until then"
            />
          )}
        </Form>
      )}
      {link && (
        <div class="made-link">
          <label>
            Link
            <input
              class="mono"
              type="text"
              readOnly
              value={link.url}
              onFocus={(event) => event.currentTarget.select()}
            />
          </label>
          <CopyButton text={link.url}>Copy</CopyButton>
          <p class="quiet" role="status">
            {isCopied && 'Copied. '}
            {link.expiresAt ? (
              <>
                Expires <When at={link.expiresAt} />
              </>
            ) : (
              'Anybody can open it: the bucket is public.'
            )}
          </p>
        </div>
      )}
    </Dialog>
  )
}
