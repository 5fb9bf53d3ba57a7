import { AppError, OperatorError } from '#platform/errors.ts'
import { inParallel } from '#platform/parallel.ts'
import { organizationNamed, ownerOf } from '../../accounts/organizations.ts'
import { createBucket } from '../../buckets/buckets.ts'
import { type BucketFacts, bucketNamed } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { findContent, type ObjectHead } from '../../objects/objects.ts'
import type { Address } from './address.ts'
import { copyObject, hasSameChecksum } from './copy.ts'
import { type Listed, openSource, type Source } from './source.ts'
import { openTarget } from './target.ts'

export type Order = { from: Address; org: string; bucket: string; concurrency: number; isDryRun: boolean }

const maxNamed = 1000

/** How far an import has come. */
export const newTally = () => ({
  /** Of the source; 0 while they are still being counted. */
  objects: 0,
  bytes: 0,
  copied: 0,
  copiedBytes: 0,
  /** Those that were there already, and their bytes. */
  skipped: 0,
  skippedBytes: 0,
  /** Bytes that have arrived, also of objects that are not complete. */
  arrivedBytes: 0,
  failed: 0,
  /** The first of those that failed. */
  failures: [] as { key: string; reason: string }[],
})

export type Tally = ReturnType<typeof newTally>

/** The operator acts for the owner of the organization. */
const principalOf = async (ctx: Storage, slug: string): Promise<Principal> => {
  const orgId = await organizationNamed(ctx, slug)
  if (orgId === undefined) throw new OperatorError(`There is no organization ${slug}`)
  const userId = await ownerOf(ctx, orgId)
  return { userId, orgId, role: 'owner', keyId: null, ancestorIds: [], ip: '127.0.0.1' }
}

const bucketFor = async (ctx: Storage, me: Principal, name: string, region: string) => {
  const found = await bucketNamed(ctx, me.orgId, name)
  if (found) return found
  await createBucket(ctx, me, { name, visibility: 'private', versioningEnabled: false, region })
  return (await bucketNamed(ctx, me.orgId, name)) as BucketFacts
}

const partsOf = (etag: string) => /-\d+$/.exec(etag)?.[0]

/** An object that was stored since the source changed it, and that has its size and its entity tag. */
const isSame = ({ size, etag, changedAt }: Listed, ours: ObjectHead | undefined) =>
  ours !== undefined &&
  ours.size_bytes === size &&
  new Date(ours.stored_at) >= changedAt &&
  // The tags of objects that were uploaded in parts differ if the parts do.
  (ours.etag === etag || partsOf(ours.etag) !== partsOf(etag))

const reasonOf = (error: unknown) => {
  if (error instanceof AppError) return error.message
  const { name, message } = ((error as Error).cause ?? error) as Error
  return name === 'Error' || message.startsWith(name) ? message : `${name}: ${message}`
}

const count = async (source: Source, tally: Tally) => {
  let [objects, bytes] = [0, 0]
  for await (const { size } of source.list()) {
    objects++
    bytes += size
  }
  Object.assign(tally, { objects, bytes })
}

/** The source is asked first, so that a mistake in its address changes nothing. */
const counted = (source: Source, { bucket }: Address, tally: Tally) =>
  count(source, tally).catch((cause) => {
    throw new OperatorError(`The objects of ${bucket} cannot be listed: ${reasonOf(cause)}`)
  })

/** Copies what the source has and we have not. An object that fails does not stop the others. */
export const importObjects = async (ctx: Storage, order: Order, tally: Tally) => {
  const { from, org, concurrency, isDryRun } = order
  const me = await principalOf(ctx, org)
  const source = await openSource(from)
  try {
    await counted(source, from, tally)
    const known = await bucketNamed(ctx, me.orgId, order.bucket)
    const bucket = isDryRun
      ? known
      : (known ?? (await bucketFor(ctx, me, order.bucket, from.region ?? 'us-east-1')))
    const skip = ({ size }: Listed) => {
      tally.skipped++
      tally.skippedBytes += size
    }
    const importOne = async (listed: Listed) => {
      const { key, size } = listed
      const ours = bucket && (await findContent(ctx, { bucketId: bucket.id, key }))
      if (isSame(listed, ours)) return skip(listed)
      if (!bucket || isDryRun) {
        tally.copied++
        tally.copiedBytes += size
        return
      }
      const described = await source.describe(key)
      const isStored = ours?.size_bytes === size && new Date(ours.stored_at) >= listed.changedAt
      if (isStored && hasSameChecksum(described, ours)) return skip(listed)
      const arrived = (bytes: number) => {
        tally.arrivedBytes += bytes
      }
      const skipped = (bytes: number) => {
        tally.skippedBytes += bytes
      }
      await copyObject({ source, target: openTarget(ctx, me, bucket), listed, described, arrived, skipped })
      tally.copied++
      tally.copiedBytes += size
    }
    await inParallel(source.list(), concurrency, (listed) =>
      importOne(listed).catch((error) => {
        tally.failed++
        if (tally.failures.length < maxNamed)
          tally.failures.push({ key: listed.key, reason: reasonOf(error) })
      }),
    )
  } finally {
    source.close()
  }
}
