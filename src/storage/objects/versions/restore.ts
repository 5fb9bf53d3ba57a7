import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import type { Principal, Storage } from '../../context.ts'
import { noVersion } from '../../refusals.ts'
import { versionsWithRemovals } from '../delete/removals.ts'
import * as store from '../delete/store.ts'
import type { ObjectRef } from '../key.ts'
import { authorizedObject } from '../objects.ts'
import * as objects from '../store.ts'
import { writeObject } from '../write/write.ts'

const maxVersions = 1000

export const listVersions = async (ctx: Storage, me: Principal, ref: ObjectRef) => {
  const { bucket } = await authorizedObject(ctx, me, 'object.read', ref)
  authorize(ctx, me, 'object.list', { bucket, key: ref.key })
  const versions = await store.listVersions(ctx.db.sql, { bucketId: bucket.id, key: ref.key }, maxVersions)
  return versionsWithRemovals(ctx, bucket.id, versions)
}

/** Makes an earlier content the current one again; the content that it replaces stays a version. */
export const restoreVersion = async (
  ctx: Storage,
  me: Principal,
  { bucketId, key, versionId }: ObjectRef & { versionId: string },
) => {
  await authorizedObject(ctx, me, 'object.read', { bucketId, key, versionId })
  const bucket = await authorizedBucket(ctx, me, 'object.write', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  for (;;) {
    const version = (await objects.findVersion(ctx.db.sql, ref, versionId)) ?? noVersion()
    const written = await writeObject(ctx, {
      writer: me,
      bucket,
      key,
      content: objects.contentOf(version),
      source: { ...ref, id: version.id, versionId, isVersion: true },
      keepPrevious: true,
      event: { action: 'object.restored', details: { versionId }, now: ctx.clock.now() },
    })
    if (written) return written.object
  }
}
