import { listing } from '#platform/db/listing.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { authorizedBucket } from '../../buckets/authorize.ts'
import type { Principal, Storage } from '../../context.ts'
import { withRemovals } from '../delete/removals.ts'
import type { TrashQuery } from './schema.ts'
import * as store from './store.ts'

const encodeCursor = ({ deletedAt, id }: store.Place) =>
  Buffer.from(`${deletedAt} ${id}`).toString('base64url')

const decodeCursor = (cursor: string): store.Place => {
  const [deletedAt = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const isTime = !Number.isNaN(Date.parse(deletedAt)) && new Date(deletedAt).toISOString() === deletedAt
  return isTime && isUuid(id) && more.length === 0 ? { deletedAt, id } : invalid('cursor', 'is not valid')
}

/** What was deleted in a bucket and can still be recovered, the last deletion first. */
export const listTrash = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { search = '', limit = 100, cursor }: TrashQuery,
) => {
  const bucket = await authorizedBucket(ctx, me, 'object.list', { bucketId, prefix: '' })
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const found = await store.listTrash(listing(ctx.db, {}, search), {
    bucketId: bucket.id,
    search,
    after,
    limit: limit + 1,
  })
  const shown = await withRemovals(ctx, bucket.id, found.slice(0, limit))
  const last = shown.at(-1)
  return {
    objects: shown.map(({ is_deleted: _, expires_at = null, ...object }) => ({ ...object, expires_at })),
    next_cursor:
      found.length > limit && last ? encodeCursor({ deletedAt: last.deleted_at, id: last.id }) : null,
  }
}
