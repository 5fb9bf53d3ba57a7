import { hashApiKey, randomBase62, sameHash } from '#platform/auth/api-keys.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, notFound, unauthorized } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import { keyUses } from './last-use.ts'
import * as store from './store.ts'

const topic = 'storage.key'

/** Live keys by the hash of their text. */
export const keyCache = moduleState(({ db, signals }: Platform) =>
  signalledCache<store.KnownKey | undefined>(signals, {
    topic,
    max: 50_000,
    load: async (encoded) => {
      const hash = Buffer.from(encoded, 'base64')
      const found = await store.findKeyByHash(db.sql, hash)
      if (!found || !sameHash(found.hash, hash)) return undefined
      const { hash: _, ...key } = found
      return key
    },
  }),
)

const sealedFor = 'storage.api-key'

/** A credential that signs requests: its key and its secret. */
export type Credential = store.KnownKey & { accessKey: string; secret: string }

/** Live credentials by their access keys. */
export const credentialCache = moduleState(({ db, signals, secrets }: Platform) =>
  signalledCache<Credential | undefined>(signals, {
    topic,
    max: 50_000,
    load: async (accessKey) => {
      const found = await store.findSealedSecret(db.sql, accessKey)
      const known = found && (await store.findKeyByHash(db.sql, found.hash))
      if (!known) return undefined
      const { hash: _, ...key } = known
      return { ...key, accessKey, secret: secrets.unseal(sealedFor, found.sealed) }
    },
  }),
)

/** Limits how many ancestors a key may have, which every request must know. */
const maxGenerations = 20

/** Locks the keys that a new key will descend from, so that none of them is revoked meanwhile. */
const lockAncestors = async (tx: Tx, { keyId, ancestorIds }: Principal) => {
  if (keyId === null) return
  const ancestors = [keyId, ...ancestorIds]
  if (ancestors.length >= maxGenerations)
    forbidden(`A key can make others down to the ${maxGenerations}th generation only`)
  if ((await store.holdKeys(tx, ancestors)).length < ancestors.length)
    unauthorized('This API key was revoked')
}

/**
 * Creates a credential with two presentations: `key` alone, or `accessKey` and `secretKey` together. A key that is
 * created with another key descends from it.
 */
export const createKey = async (ctx: Storage, me: Principal, label: string) => {
  const accessKey = `obj_${randomBase62(20)}`
  const secretKey = randomBase62(40)
  const key = `${accessKey}.${secretKey}`
  const sealedSecret = ctx.secrets.seal(sealedFor, secretKey)
  const now = ctx.clock.now()
  const row = await ctx.db.transaction(async (tx) => {
    const id = uuidv7()
    await lockAncestors(tx, me)
    const inserted = await store.insertKey(tx, {
      id,
      orgId: me.orgId,
      userId: me.userId,
      parentId: me.keyId,
      label,
      prefix: key.slice(0, 12),
      hash: hashApiKey(key),
      accessKey,
      sealedSecret,
      now,
    })
    const created = inserted ?? unauthorized('This account was removed')
    await auditKey(tx, me, created, { action: 'api_key.created', now })
    return created
  })
  const { last_used_at: _, ...shown } = row
  return { ...shown, key, accessKey, secretKey }
}

export const listKeys = async (ctx: Storage, me: Principal) => {
  const keys = await store.listKeys(ctx.db.sql, me.orgId, me.userId)
  return keys.map((key) => ({ ...key, last_used_at: keyUses(ctx).of(key.id) ?? key.last_used_at }))
}

/** Revokes a key and all its descendants, including one that is being created at the moment. */
export const revokeKey = (ctx: Storage, me: Principal, id: string) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { id: root } =
      (await store.lockKey(tx, me.orgId, me.userId, id)) ?? notFound('No API key with this id')
    await announceRevoked(ctx, tx, me, { revoked: await store.revokeWithDescendants(tx, root, now), now })
  })

/** Revokes every key of a user, in the transaction that changes their password. */
export const revokeAllKeys = async (ctx: Storage, tx: Tx, me: Actor & { userId: string }) => {
  const now = ctx.clock.now()
  await store.lockKeysOf(tx, me.orgId, me.userId)
  const revoked = await store.revokeKeysOf(tx, me.orgId, me.userId, now)
  await announceRevoked(ctx, tx, me, { revoked, now })
}

const announceRevoked = async (
  ctx: Storage,
  tx: Tx,
  actor: Actor,
  { revoked, now }: { revoked: store.RevokedKey[]; now: Date },
) => {
  for (const { hash, accessKey, ...key } of revoked) {
    await auditKey(tx, actor, key, { action: 'api_key.revoked', now })
    await ctx.signals.publish(tx, topic, hash.toString('base64'))
    await ctx.signals.publish(tx, topic, accessKey)
  }
}

type Audited = { id: string; label: string; key_prefix: string; parent_id?: string | null }

const auditKey = (tx: Tx, actor: Actor, key: Audited, event: { action: string; now: Date }) => {
  const { id, label, key_prefix, parent_id } = key
  const payload = { label, key_prefix, ...(parent_id ? { parent_id } : {}) }
  return recordAudit(tx, actor, { ...event, resourceType: 'api_key', resourceId: id, payload })
}

/** A live key of this organization, with its owner and its ancestors. */
export const findKey = (ctx: Storage, orgId: string, id: string) => store.findKeyById(ctx.db.sql, orgId, id)

/** Which of these are live keys of this organization. */
export const liveKeys = async (ctx: Storage, orgId: string, ids: string[]) =>
  ids.length === 0 ? [] : (await store.findLive(ctx.db.sql, orgId, ids)).map(({ id }) => id)
