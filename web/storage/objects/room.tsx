import { confirm } from '#web/components/confirm.tsx'
import { bytes, count, counted } from '#web/components/format.ts'
import { useSession } from '#web/frame/session.ts'
import { api } from '../api.ts'
import type { Permission } from '../permissions.ts'
import type { Chosen } from '../uploads/chosen.ts'

type Files = { bytes: number; objects: number }
type More = { href: string; text: string; needs: Permission }
/** What something may hold, in bytes or in objects, and what it holds of that. */
type Quota = { of: string; held: number; limit: number; in: keyof Files; more: More }

const quotasOf = async (bucketId: string): Promise<Quota[]> => {
  const [{ data: bucket }, { data: account }] = await Promise.all([
    api.GET('/buckets/{bucketId}', { params: { path: { bucketId } } }),
    api.GET('/auth/me'),
  ])
  const { name, storage_used_bytes, storage_quota_bytes, retained_objects, object_quota } =
    account.organization
  const settings: More = {
    href: `/console/buckets/${bucketId}/settings`,
    text: 'Settings of the bucket',
    needs: 'bucket.update',
  }
  const billing: More = { href: '/console/billing', text: 'Billing', needs: 'billing.read' }
  return [
    {
      of: bucket.name,
      held: bucket.total_size_bytes,
      limit: bucket.storage_quota_bytes ?? Number.POSITIVE_INFINITY,
      in: 'bytes',
      more: settings,
    },
    { of: name, held: storage_used_bytes, limit: storage_quota_bytes, in: 'bytes', more: billing },
    { of: name, held: retained_objects, limit: object_quota, in: 'objects', more: billing },
  ]
}

const shown = { bytes, objects: count }

const MoreRoom = ({ href, text, needs }: More) => {
  const { can } = useSession()
  return can(needs) ? (
    <p>
      More room: <a href={href}>{text}</a>
    </p>
  ) : null
}

const ask = ({ of, held, limit, in: unit, more }: Quota, files: Files) =>
  confirm({
    title: 'Not enough room',
    text: (
      <>
        <p>
          {of} holds {shown[unit](held)} of {shown[unit](limit)}
          {unit === 'objects' && ' objects'}, and {counted(files.objects, 'file')} of {bytes(files.bytes)}{' '}
          would be added. What does not fit will be refused.
        </p>
        <MoreRoom {...more} />
      </>
    ),
    verb: 'Upload what fits',
  })

/** What fits into a bucket while files are added. Asks once, before anything is sent that does not fit. */
export const createRoom = (bucketId: string) => {
  let quotas: Quota[] | undefined
  const files = { bytes: 0, objects: 0 }
  let isAsked = false
  return {
    /** Whether to go on with these files as well. */
    async take(some: readonly Chosen[]) {
      if (isAsked) return true
      quotas ??= await quotasOf(bucketId)
      files.objects += some.length
      for (const { file } of some) files.bytes += file.size
      const short = quotas.find((quota) => quota.held + files[quota.in] > quota.limit)
      if (!short) return true
      isAsked = true
      return ask(short, files)
    },
  }
}
