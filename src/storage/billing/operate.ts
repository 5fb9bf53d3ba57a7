import { OperatorError } from '#platform/errors.ts'
import type { ListPage } from '#platform/list-page.ts'
import type { Storage } from '../context.ts'
import { normalCode } from './billing.ts'
import { planChanged } from './plans.ts'
import { maxTermMonths } from './schema.ts'
import * as store from './store.ts'
import { bandwidthTier, storageTier } from './tiers.ts'

const refuse = (message: string): never => {
  throw new OperatorError(message)
}

type PromoInput = {
  code: string
  months: number
  expires?: Date | undefined
  maxUses?: number | undefined
}

export const createPromo = async (ctx: Storage, input: PromoInput) => {
  const code = normalCode(input.code)
  if (!/^[A-Z0-9._-]{3,64}$/.test(code))
    refuse('A code has 3 to 64 letters, digits, dots, dashes or underscores')
  if (input.months < 1 || input.months > maxTermMonths) refuse(`A code adds 1 to ${maxTermMonths} months`)
  if (input.maxUses !== undefined && (input.maxUses < 1 || input.maxUses > 2 ** 31 - 1))
    refuse('A code can be redeemed at least once')
  const promo = {
    code,
    months: input.months,
    expiresAt: input.expires ?? null,
    maxUses: input.maxUses ?? null,
  }
  const made = await ctx.db.write((q) => store.insertPromo(q, promo, ctx.clock.now()))
  return made ? code : refuse(`There is already a code ${code}`)
}

/** Every promo code, newest first. */
export const listPromos = async (ctx: Storage, page: ListPage) => ({
  total: await store.countPromos(ctx.db.sql, page.search),
  rows: await store.listPromos(ctx.db.sql, page),
})

export const endPromo = async (ctx: Storage, text: string) => {
  const code = normalCode(text)
  const isEnded = await ctx.db.write((q) => store.endPromo(q, code, ctx.clock.now()))
  return isEnded ? code : refuse(`There is no code ${code} that can still be redeemed`)
}

type PlanInput = {
  status?: 'trial' | 'active' | 'expired' | undefined
  expires?: Date | undefined
  storageTier?: string | undefined
  bandwidthTier?: string | undefined
}

/** A plan is expired because its end has passed, and for no other reason: `expired` moves the end to now. */
export const setPlan = (ctx: Storage, slug: string, input: PlanInput) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const before = (await store.lockOrganization(tx, slug, now)) ?? refuse(`There is no organization ${slug}`)
    const { status, expires } = input
    const expiresAt = expires ?? (status === 'expired' ? now : new Date(before.plan_expires_at))
    if (status === 'expired' && expiresAt > now) refuse('A plan that ends later is not expired yet')
    if (status && status !== 'expired' && expiresAt <= now)
      refuse(`A plan that has ended is not ${status}: give a later end with --expires`)
    const storage = input.storageTier === undefined ? undefined : storageTier(input.storageTier)
    const bandwidth = input.bandwidthTier === undefined ? undefined : bandwidthTier(input.bandwidthTier)
    const tiers = {
      storageTier: storage?.code ?? before.storage_tier,
      storageQuota: storage?.quota_bytes ?? before.storage_quota_bytes,
      bandwidthTier: bandwidth?.code ?? before.bandwidth_tier,
      bandwidthQuota: bandwidth?.quota_bytes ?? before.bandwidth_quota_bytes,
    }
    const keptStatus = status && status !== 'expired' ? status : before.kept_status
    await store.setPlan(tx, before.id, { status: keptStatus, expiresAt, tiers, now })
    await planChanged(ctx, tx, before.id)
    return (await store.findPlan(tx, before.id, now))!
  })
