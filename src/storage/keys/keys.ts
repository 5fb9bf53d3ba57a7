import { hashApiKey, randomBase62, sameHash } from '#platform/auth/api-keys.ts'
import { signalledCache } from '#platform/cache.ts'
import type { Tx } from '#platform/db/database.ts'
import { notFound, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
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
  const now = ctx.clock.now()
  const row = await ctx.db.transaction(async (tx) => {
    const id = uuidv7()
    const inserted = await store.insertKey(tx, {
      id,
      orgId: me.orgId,
      userId: me.userId,
      label,
      prefix: key.slice(0, 12),
      hash: hashApiKey(key),
      now,
    })
    const created = inserted ?? unauthorized()
    await record(tx, me, 'api_key.created', id, created, now)
    return created
  })
  const { id, key_prefix, created_at } = row
  return { id, label: row.label, key_prefix, created_at, key, accessKey, secretKey }
}

export const listKeys = async (ctx: Storage, me: Principal) => {
  const keys = await store.listKeys(ctx.db.sql, me.orgId, me.userId)
  return keys.map((key) => ({ ...key, last_used_at: ctx.keyUses.of(key.id) ?? key.last_used_at }))
}

export const revokeKey = (ctx: Storage, me: Principal, id: string) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { hash, ...key } = (await store.revokeKey(tx, me.orgId, me.userId, id, now)) ?? notFound()
    await record(tx, me, 'api_key.revoked', id, key, now)
    await ctx.signals.publish(tx, topic, hash.toString('base64'))
  })

/** Every key of a person, in the transaction that changes their password. */
export const revokeAllKeys = async (ctx: Storage, tx: Tx, me: Actor & { userId: string }) => {
  const now = ctx.clock.now()
  for (const { id, hash, ...key } of await store.revokeAllKeys(tx, me.orgId, me.userId, now)) {
    await record(tx, me, 'api_key.revoked', id, key, now)
    await ctx.signals.publish(tx, topic, hash.toString('base64'))
  }
}

const record = (
  tx: Tx,
  me: Actor,
  action: string,
  resourceId: string,
  { label, key_prefix }: { label: string; key_prefix: string },
  now: Date,
) => recordAudit(tx, me, { action, resourceType: 'api_key', resourceId, payload: { label, key_prefix }, now })

/** Whose live key this is. */
export const findKeyOwner = async (ctx: Storage, orgId: string, id: string) =>
  (await store.findKeyById(ctx.db.sql, orgId, id))?.userId
