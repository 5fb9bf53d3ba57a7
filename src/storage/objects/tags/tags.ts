import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import { holdBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { noObject, noVersion } from '../../refusals.ts'
import { checkTags, type Tags } from '../../tags/tags.ts'
import { headChanged, lockKeys } from '../heads.ts'
import type { ObjectRef } from '../key.ts'
import { aboutObject, auditObject, authorizedObject } from '../objects.ts'
import { findHead, findVersion } from '../store.ts'
import * as store from './store.ts'

const maxTags = 10

/** The tags that an object may have; throws 400 if these are others. */
export const checkObjectTags = (pairs: readonly (readonly [string, string])[]) => checkTags(pairs, maxTags)

/** The live object of a key, or one of its versions. */
type Content = ObjectRef & { versionId?: string | undefined }

const missing = ({ versionId }: Content) => (versionId === undefined ? noObject() : noVersion())

export const getTags = async (ctx: Storage, me: Principal, content: Content) => {
  const { object } = await authorizedObject(ctx, me, 'object.read', content)
  const { tags, version_id: versionId } = object ?? missing(content)
  return { tags, versionId }
}

/** Tags belong to one content: those of other versions stay as they are. */
export const replaceTags = async (ctx: Storage, me: Principal, content: Content, tags: Tags) => {
  const { bucketId, key, versionId } = content
  const bucket = await authorizedBucket(ctx, me, 'object.write', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    await holdBucket(tx, me.orgId, bucket.id)
    const found = await (versionId === undefined ? findHead(tx, ref) : findVersion(tx, ref, versionId))
    authorize(ctx, me, 'object.write', { bucket, ...aboutObject(found, key) })
    const { id, version_id, size_bytes } = found ?? missing(content)
    const live = versionId === undefined ? found : await findHead(tx, ref)
    if (live?.version_id === version_id) {
      await store.updateTags(tx, id, tags, now)
      await headChanged(ctx, tx, ref)
    } else await store.updateTagsOfVersion(tx, id, version_id, tags)
    const details = { versionId: version_id, tags: Object.keys(tags).length }
    await auditObject(
      tx,
      me,
      { id, bucket_id: bucket.id, object_key: key, size_bytes },
      { action: 'object.tagged', details, now },
    )
    return { tags, versionId: version_id }
  })
}
