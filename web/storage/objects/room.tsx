import { confirm } from '#web/components/confirm.tsx'
import { bytes, counted } from '#web/components/format.ts'
import { api } from '../api.ts'
import type { Chosen } from '../uploads/chosen.ts'

/** A quota, and what is held of it. */
type Quota = { of: string; held: number; limit: number; link: { href: string; text: string } }

/** The quota with the least room: that of the bucket or that of the organization. */
const tightest = async (bucketId: string): Promise<Quota> => {
  const [{ data: bucket }, { data: account }] = await Promise.all([
    api.GET('/buckets/{bucketId}', { params: { path: { bucketId } } }),
    api.GET('/auth/me'),
  ])
  const { name, storage_used_bytes, storage_quota_bytes } = account.organization
  const ofBucket = {
    of: bucket.name,
    held: bucket.total_size_bytes,
    limit: bucket.storage_quota_bytes ?? Number.POSITIVE_INFINITY,
    link: { href: `/console/buckets/${bucketId}/settings`, text: 'Settings of the bucket' },
  }
  const ofAll = {
    of: name,
    held: storage_used_bytes,
    limit: storage_quota_bytes,
    link: { href: '/console/billing', text: 'Billing' },
  }
  return ofBucket.limit - ofBucket.held < ofAll.limit - ofAll.held ? ofBucket : ofAll
}

const ask = ({ of, held, limit, link }: Quota, files: number, needed: number) =>
  confirm({
    title: 'Not enough room',
    text: (
      <>
        <p>
          {of} holds {bytes(held)} of {bytes(limit)}, and {counted(files, 'file')} of {bytes(needed)} would be
          added. What does not fit will be refused.
        </p>
        <p>
          More room: <a href={link.href}>{link.text}</a>
        </p>
      </>
    ),
    verb: 'Upload what fits',
  })

/** What fits into a bucket while files are added. Asks once, before anything is sent that does not fit. */
export const createRoom = (bucketId: string) => {
  let quota: Quota | undefined
  let files = 0
  let needed = 0
  let isSettled = false
  return {
    /** Whether to go on with these files as well. */
    async take(some: readonly Chosen[]) {
      if (isSettled) return true
      quota ??= await tightest(bucketId)
      files += some.length
      needed += some.reduce((sum, { file }) => sum + file.size, 0)
      if (quota.held + needed <= quota.limit) return true
      isSettled = true
      return ask(quota, files, needed)
    },
  }
}
