import { apiKeyName, newApiKey } from '#platform/auth/api-keys.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import type { NewApiKey, UsageQuery } from './schema.ts'
import * as store from './store.ts'
import { usageLog } from './usage.ts'

const prefix = 'inv_live_'
const keyTopic = 'inventory.api-key'

const knownKeys = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: keyTopic,
    max: 50_000,
    load: (hash) => store.findKey(db.sql, Buffer.from(hash, 'base64')),
  }),
)

/** The key of a header, including revoked and expired ones. */
export const findKnownKey = async (ctx: Inventory, presented: unknown) =>
  typeof presented === 'string' && presented.startsWith(prefix)
    ? knownKeys(ctx).get(apiKeyName(presented))
    : undefined

export const listKeys = async (ctx: Inventory, me: Principal) => {
  await usageLog(ctx).flush()
  return { api_keys: await store.listKeys(ctx.db.sql, me.tenantId, ctx.clock.now()) }
}

export const createKey = async (ctx: Inventory, me: Principal, input: NewApiKey) => {
  if (!input.permissions.includes('read')) invalid('permissions', 'must be ["read"] or ["read", "write"]')
  const { key, hash, visible } = newApiKey(prefix)
  const created = await ctx.db.write((q) =>
    store.insertKey(
      q,
      me,
      {
        name: input.name,
        hash,
        prefix: visible,
        canWrite: input.permissions.includes('write'),
        expiresOn: input.expires_at ?? null,
      },
      ctx.clock.now(),
    ),
  )
  return { ...created, key }
}

export const revokeKey = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    const hash =
      (await store.revokeKey(tx, me.tenantId, id, ctx.clock.now())) ?? notFound('API key not found')
    await ctx.signals.publish(tx, keyTopic, hash.toString('base64'))
    return { message: 'API key revoked' }
  })

/** Revokes every key that a person has created. */
export const revokeKeysOf = async (ctx: Inventory, tx: Tx, userId: number) => {
  for (const { hash } of await store.revokeKeysOf(tx, userId, ctx.clock.now()))
    await ctx.signals.publish(tx, keyTopic, hash.toString('base64'))
}

/** Removes the keys of a tenant from all caches, after something has changed that they depend on. */
export const forgetKeysOf = async (ctx: Inventory, tx: Tx, tenantId: number) => {
  for (const { hash } of await store.hashesOf(tx, tenantId))
    await ctx.signals.publish(tx, keyTopic, hash.toString('base64'))
}

export const listUses = async (ctx: Inventory, me: Principal, query: UsageQuery) => {
  await usageLog(ctx).flush()
  const page = pageOf(query, longPage)
  const [logs, total] = await Promise.all([
    store.listUses(listing(ctx.db, page), me.tenantId, query, page),
    store.countUses(ctx.db.long, me.tenantId, query),
  ])
  return { logs, ...pageInfo(page, total) }
}

const keptDays = 90
const forgottenAtOnce = 10_000

/** In small steps, so that requests that write to the log do not wait long. */
export const forgetOldUses = async (ctx: Inventory) => {
  const before = new Date(ctx.clock.now().getTime() - keptDays * 86_400_000)
  for (const { tenant_id } of await store.tenantsWithUses(ctx.db.sql)) {
    const forget = () => ctx.db.write((q) => store.deleteUses(q, tenant_id, before, forgottenAtOnce))
    while ((await forget()) === forgottenAtOnce);
  }
}
