import { authorizedBucket } from '../../buckets/authorize.ts'
import type { Principal, Storage } from '../../context.ts'
import { noVersion } from '../../refusals.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import { findVersion } from '../store.ts'
import { removeEntries } from './history.ts'

/** Removes one content of a key for good. If it was the current one, the content before it becomes that. */
export const deleteVersion = async (
  ctx: Storage,
  me: Principal,
  { bucketId, key, versionId }: ObjectRef & { versionId: string },
) => {
  checkKey(key)
  const bucket = await authorizedBucket(ctx, me, 'object.purge', { bucketId, key, preflight: true })
  const version = (await findVersion(ctx.db.sql, { bucketId: bucket.id, key }, versionId)) ?? noVersion()
  // What was stored without versioning is known by no id, and another content may take its place meanwhile.
  const removal = version.unversioned
    ? { key, versionId: null, conditions: { ifMatch: `"${version.etag}"`, ifNoneMatch: undefined } }
    : { key, versionId }
  const [removed] = await removeEntries(ctx, me, bucket.id, [removal])
  if (removed?.error) throw removed.error
}
