import type { Platform } from '#platform/platform.ts'
import { blobs } from './state.ts'
import * as store from './store.ts'

/**
 * A bucket belongs to one database: what that one does not know is swept from it. So it is marked with the identity of
 * the database, which no backup carries along: a restored copy that is given the same bucket, to try it out, removes
 * nothing from it until an operator says that the first system is gone.
 */
export const ownsBlobs = async (ctx: Platform): Promise<boolean> => {
  const { owner } = blobs(ctx).engine
  if (!owner) return true
  const [mine, marked] = await Promise.all([store.databaseIdentity(ctx.db.sql), owner.read()])
  if (marked === mine) return true
  if (marked === null) {
    await owner.write(mine)
    return true
  }
  ctx.log.error(
    { bucket: ctx.config.blobs, owner: marked, database: mine },
    'the bucket belongs to another database, nothing is removed from it: if that one is gone for good, run "trivet storage bucket adopt"',
  )
  return false
}

/** From now on the bucket belongs to this database. False if blobs are not in a bucket. */
export const adoptBlobs = async (ctx: Platform): Promise<boolean> => {
  const { owner } = blobs(ctx).engine
  await owner?.write(await store.databaseIdentity(ctx.db.sql))
  return owner !== undefined
}
