import { useQueryClient } from '@tanstack/preact-query'
import { Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Problem } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api } from '#web/storage/api.ts'
import type { BucketTab } from '#web/storage/bucket-tab.ts'

export function DeleteBucket({ bucket }: BucketTab) {
  const queries = useQueryClient()
  const { route } = useLocation()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const remove = async () => {
    setError(null)
    const isSure = await confirm({
      title: `Delete bucket ${bucket.name}?`,
      text: 'Its policy, its lifecycle rules, old versions and everything in its trash are removed for good.',
      verb: 'Delete bucket',
      danger: true,
    })
    if (!isSure) return
    setBusy(true)
    try {
      await api.DELETE('/buckets/{bucketId}', { params: { path: { bucketId: bucket.id } } })
      toast(`Bucket ${bucket.name} deleted`)
      route('/console/buckets')
      await queries.invalidateQueries({ queryKey: ['buckets'] })
    } catch (reason) {
      setError(reason)
      setBusy(false)
    }
  }

  return (
    <Card
      title="Delete this bucket"
      text={
        bucket.object_count > 0
          ? 'A bucket can be deleted once it holds no objects.'
          : 'It holds no objects. Old versions and what is in its trash go with it.'
      }
      actions={
        <Button kind="danger" icon={Trash2} busy={busy} onClick={remove}>
          Delete bucket
        </Button>
      }
    >
      <Problem error={error} />
    </Card>
  )
}
