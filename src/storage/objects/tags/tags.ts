import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import { holdBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { noObject, noVersion } from '../../refusals.ts'
import { checkTags, type Tags } from '../../tags/tags.ts'
import { headChanged, lockKeys } from '../heads.ts'
import { aboutObject, auditObject, authorizedObject, type ContentRef } from '../objects.ts'
import { findHead, findVersion } from '../store.ts'
import * as store from './store.ts'

const maxTags = 10

/** The tags that an object may have; throws 400 if these are others. */
export const checkObjectTags = (pairs: Tags) => checkTags(pairs, maxTags)

const missing = ({ versionId }: ContentRef) => (versionId === undefined ? noObject() : noVersion())

/** The content that has the tags. */
export const getTagged = async (ctx: Storage, me: Principal, content: ContentRef) => {
  const { object } = await authorizedObject(ctx, me, 'object.read', content)
  return object ?? missing(content)
}

/** Tags belong to one content: those of other versions stay as they are. */
export const replaceTags = async (ctx: Storage, me: Principal, content: ContentRef, tags: Tags) => {
  const { bucketId, key, versionId } = content
  const bucket = await authorizedBucket(ctx, me, 'object.write', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    await holdBucket(tx, me.orgId, bucket.id)
    const found = await (versionId === undefined ? findHead(tx, ref) : findVersion(tx, ref, versionId))
    authorize(ctx, me, 'object.write', { bucket, ...aboutObject(found, key) })
    const tagged = found ?? missing(content)
    const { id, version_id, size_bytes } = tagged
    const live = versionId === undefined ? found : await findHead(tx, ref)
    if (live?.version_id === version_id) {
      await store.updateTags(tx, id, tags, now)
      await headChanged(ctx, tx, ref)
    } else await store.updateTagsOfVersion(tx, id, version_id, tags)
    const details = { versionId: version_id, tags: tags.length }
    await auditObject(
      tx,
      me,
      { id, bucket_id: bucket.id, object_key: key, size_bytes },
      { action: 'object.tagged', details, now },
    )
    return { ...tagged, tags }
  })
}
