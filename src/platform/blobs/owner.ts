import type { Platform } from '#platform/platform.ts'
import type { Engine } from './engine.ts'
import { openEngine } from './open.ts'
import * as store from './store.ts'

/**
 * An S3 bucket belongs to one database, because the sweep removes blobs that the database does not know. The bucket is
 * marked with the identity of its database, which is not part of a backup. A restored copy that uses the same bucket
 * therefore removes nothing from it until an operator confirms that the first system is gone.
 */
export const ownsBlobs = async (ctx: Platform, { owner }: Engine): Promise<boolean> => {
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

/** Makes this database the owner of the bucket. Returns false if blobs are not in a bucket. */
export const adoptBlobs = async (ctx: Platform): Promise<boolean> => {
  const { owner } = openEngine(ctx.config, '')
  await owner?.write(await store.databaseIdentity(ctx.db.sql))
  return owner !== undefined
}
