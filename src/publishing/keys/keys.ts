import { apiKeyName, newApiKey } from '#platform/auth/api-keys.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError, notFound } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal, Publishing } from '../context.ts'
import { changed, invalidate, topics } from '../invalidation.ts'
import type { NewKey } from './schema.ts'
import * as store from './store.ts'

const maxActive = 5
const keyNotFound = () => notFound('API key not found')

/** Active keys by the Base64 of their hash. */
const activeKeys = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.key,
    max: 50_000,
    load: (encoded) => store.findActiveKey(db.sql, Buffer.from(encoded, 'base64')),
  }),
)

/** The active key that a client sent. */
export const findByKey = (ctx: Publishing, text: string) =>
  /^f9k_[0-9A-Za-z]{1,100}$/.test(text) ? activeKeys(ctx).get(apiKeyName(text)) : undefined

export const createKey = async (ctx: Publishing, me: Principal, input: NewKey) => {
  const { key, hash, visible: prefix } = newApiKey('f9k_')
  const { name, daily_post_limit: dailyLimit = 100 } = input
  const row = { userId: me.userId, name, prefix, hash, dailyLimit, now: ctx.clock.now() }
  const id = await ctx.db.write((q) => store.createKey(q, row, maxActive))
  if (id === null)
    throw new AppError(422, `You can have at most ${maxActive} active API keys`, {
      details: [{ field: 'keys', reason: `must be at most ${maxActive} active ones` }],
    })
  return { id, key, prefix, name, dailyPostLimit: dailyLimit }
}

export const listKeys = (ctx: Publishing, me: Principal) =>
  store.listKeys(ctx.db.sql, me.userId, ctx.clock.now())

export const readUsage = (ctx: Publishing, me: Principal) =>
  store.listUsage(ctx.db.sql, me.userId, ctx.clock.now())

export const readKeyUsage = async (ctx: Publishing, me: Principal, id: number) =>
  (await store.findUsage(ctx.db.sql, me.userId, ctx.clock.now(), id)) ?? keyNotFound()

export const revokeKey = async (ctx: Publishing, me: Principal, id: number) => {
  const name = await ctx.db.write((q) => store.revokeKey(q, me.userId, id, ctx.clock.now()))
  changed(ctx, { key: [name ?? keyNotFound()] })
}

export const revokeAllKeys = async (ctx: Publishing, tx: Tx, userId: number) => {
  const revoked = await store.revokeAll(tx, userId, ctx.clock.now())
  await invalidate(ctx, tx, { key: revoked.map(({ hash }) => hash.toString('base64')) })
}
