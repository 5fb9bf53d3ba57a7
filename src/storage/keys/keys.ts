import { hashApiKey, randomBase62, sameHash } from '#platform/auth/api-keys.ts'
import { signalledCache } from '#platform/cache.ts'
import { notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import type { KnownKey, Principal, Storage } from '../context.ts'
import * as store from './store.ts'

const topic = 'storage.key'

/** Live keys by the hash of their text. */
export const createKeyCache = ({ db, signals }: Platform) =>
  signalledCache<KnownKey | undefined>(signals, {
    topic,
    max: 50_000,
    load: async (encoded) => {
      const hash = Buffer.from(encoded, 'base64')
      const found = await store.findKeyByHash(db.sql, hash)
      return found && sameHash(found.hash, hash) ? { id: found.id, userId: found.userId } : undefined
    },
  })

/** One credential with two presentations: `key` alone, or `accessKey` and `secretKey` together. */
export const createKey = async (ctx: Storage, me: Principal, label: string) => {
  const accessKey = `obj_${randomBase62(20)}`
  const secretKey = randomBase62(40)
  const key = `${accessKey}.${secretKey}`
  const row = await ctx.db.write((q) =>
    store.insertKey(q, {
      id: uuidv7(),
      orgId: me.orgId,
      userId: me.userId,
      label,
      prefix: key.slice(0, 12),
      hash: hashApiKey(key),
      now: ctx.clock.now(),
    }),
  )
  return { ...row, key, accessKey, secretKey }
}

export const listKeys = (ctx: Storage, me: Principal) => store.listKeys(ctx.db.sql, me.orgId, me.userId)

export const revokeKey = (ctx: Storage, me: Principal, id: string) =>
  ctx.db.transaction(async (tx) => {
    const hash = (await store.revokeKey(tx, me.orgId, me.userId, id, ctx.clock.now())) ?? notFound()
    await ctx.signals.publish(tx, topic, hash.toString('base64'))
  })
