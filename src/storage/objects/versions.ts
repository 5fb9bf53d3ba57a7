import { notFound } from '#platform/errors.ts'
import type { Principal, Storage } from '../context.ts'
import { bucketFor, demand } from '../policies/authorize.ts'
import { lockNames } from './heads.ts'
import { auditObject, objectFor } from './objects.ts'
import { place } from './place.ts'
import * as store from './store.ts'

const maxVersions = 1000

export const listVersions = async (ctx: Storage, me: Principal, bucketId: string, key: string) => {
  const { bucket } = await objectFor(ctx, me, bucketId, key, 'object.read')
  demand(ctx, me, bucket, 'object.list', { key })
  return store.listVersions(ctx.db.sql, bucket.id, key, maxVersions)
}

/** Makes an earlier content the current one again; what it replaces stays a version. */
export const restoreVersion = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  key: string,
  versionId: string,
) => {
  await objectFor(ctx, me, bucketId, key, 'object.read', versionId)
  const bucket = await bucketFor(ctx, me, bucketId, 'object.write', { key, tentative: true })
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    // From here on nobody can purge what is about to be shared.
    await lockNames(tx, [[bucket.id, key]])
    const version = (await store.findVersion(tx, bucket.id, key, versionId)) ?? notFound()
    const { content_type, size_bytes, etag, metadata, blobs } = version
    const content = { content_type, size_bytes, etag, metadata, blobs }
    const { object } = await place(
      ctx,
      tx,
      { writer: me, bucket, key, content, bytes: 'shared', keepReplaced: true, now },
      ({ object }) => auditObject(tx, me, 'object.restored', object, now, { versionId }),
    )
    return object
  })
}
