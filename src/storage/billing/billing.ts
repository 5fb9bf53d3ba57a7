import { invalid, notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import { payments } from './payments.ts'
import { activatePlan } from './plans.ts'
import type { Purchase } from './schema.ts'
import * as store from './store.ts'
import { currency, priceOf, tiers } from './tiers.ts'

export const currentPlan = async (ctx: Storage, me: Principal) =>
  (await store.findPlan(ctx.db.sql, me.orgId, ctx.clock.now())) ?? notFound()

export const priceList = () => ({ currency, ...tiers })

const months = (n: number) => `${n} month${n === 1 ? '' : 's'}`

/** Begins a payment. The plan changes when the provider's webhook reports that it succeeded. */
export const purchase = async (ctx: Storage, me: Principal, input: Purchase) => {
  const { storageTier, bandwidthTier, termMonths } = input
  const id = uuidv7()
  const amountCents = priceOf(storageTier, bandwidthTier) * termMonths
  const description = `${storageTier} + ${bandwidthTier}, ${months(termMonths)}`
  const { reference, clientSecret } = await payments(ctx).provider.begin({
    id,
    amountCents,
    currency,
    description,
  })
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { orgId, userId } = me
    await store.insertPayment(tx, { id, orgId, userId, reference, ...input, amountCents, currency }, now)
    await recordAudit(tx, me, {
      action: 'plan.purchased',
      resourceType: 'payment',
      resourceId: id,
      payload: { ...input, amountCents },
      now,
    })
  })
  return { clientSecret, amount: amountCents }
}

/** Payments and promo redemptions, newest first. */
export const listCharges = async (ctx: Storage, me: Principal) => {
  const charges = await store.listCharges(ctx.db.sql, me.orgId, currency)
  return charges.map(({ text, months: n, ...charge }) => ({
    ...charge,
    description: `${charge.source === 'promo' ? `Promo code ${text}` : text}, ${months(n)}`,
  }))
}

/** Of two parallel redemptions by one organization, or of the last use of a code, one is refused. */
export const redeemPromo = (ctx: Storage, me: Principal, input: string) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const code = normalCode(input)
    const id = uuidv7()
    const promo = (await store.usePromo(tx, code, now)) ?? invalid('code', 'is invalid, expired or used up')
    const monthsAdded = promo.months
    const redemption = { id, orgId: me.orgId, code, months: monthsAdded, now }
    if (!(await store.insertRedemption(tx, redemption)))
      invalid('code', 'was already used by this organization')
    const expiresAt = await activatePlan(ctx, tx, me.orgId, { months: monthsAdded })
    await recordAudit(tx, me, {
      action: 'promo.redeemed',
      resourceType: 'promo',
      resourceId: id,
      payload: { months: monthsAdded, plan_expires_at: expiresAt },
      now,
    })
    return { message: `${months(monthsAdded)} added`, months_added: monthsAdded, plan_expires_at: expiresAt }
  })

/** Codes are passed on by phone and typed by hand, so case and surrounding spaces do not matter. */
export const normalCode = (text: string) => text.trim().toUpperCase()
