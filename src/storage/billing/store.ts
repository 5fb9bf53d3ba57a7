import type { Sql } from '#platform/db/database.ts'
import { escapeLike, maybeOne, value } from '#platform/db/rows.ts'
import type { ListPage } from '#platform/list-page.ts'

export type PlanEnd = { expiresAt: Date }

export const findPlanEnd = async (q: Sql, orgId: string): Promise<PlanEnd | undefined> => {
  const [row] = await q<{ plan_expires_at: string }[]>`
    select plan_expires_at from storage.organizations where id = ${orgId}`
  return row && { expiresAt: new Date(row.plan_expires_at) }
}

export type PlanRow = {
  plan_status: 'trial' | 'active' | 'expired'
  plan_expires_at: string
  storage_tier: string
  bandwidth_tier: string
  storage_quota_bytes: number
  bandwidth_quota_bytes: number
  object_quota: number
}

const planColumns = (q: Sql, now: Date) => q`
  case when plan_expires_at <= ${now} then 'expired' else plan_status end as plan_status, plan_expires_at,
  storage_tier, bandwidth_tier, storage_quota_bytes, bandwidth_quota_bytes, object_quota`

export const findPlan = (q: Sql, orgId: string, now: Date) =>
  maybeOne(q<PlanRow[]>`select ${planColumns(q, now)} from storage.organizations where id = ${orgId}`)

export type TierChange = {
  storageTier: string
  storageQuota: number
  bandwidthTier: string
  bandwidthQuota: number
}

const tierChange = (q: Sql, t: TierChange) => q`
  storage_tier = ${t.storageTier}, storage_quota_bytes = ${t.storageQuota},
  bandwidth_tier = ${t.bandwidthTier}, bandwidth_quota_bytes = ${t.bandwidthQuota}`

/**
 * Adds calendar months to now, or to the end of the present plan: 31 January plus a month is 28 February. Sets the tiers
 * with the same statement, so that it is one event.
 */
export const extendPlan = async (
  q: Sql,
  orgId: string,
  { months, now, tiers }: { months: number; now: Date; tiers?: TierChange | undefined },
) => {
  const plan_expires_at = await value<string>(q`
    update storage.organizations set plan_status = 'active', plan_expires_at =
      (greatest(${now}, plan_expires_at) at time zone 'UTC' + make_interval(months => ${months})) at time zone 'UTC'
      ${tiers ? q`, ${tierChange(q, tiers)}` : q``}
    where id = ${orgId} returning plan_expires_at`)
  return plan_expires_at
}

export type PaymentRow = {
  id: string
  orgId: string
  userId: string
  reference: string
  storageTier: string
  bandwidthTier: string
  termMonths: number
  amountCents: number
  currency: string
}

export const insertPayment = (q: Sql, p: PaymentRow, now: Date) => q`
  insert into storage.payments (id, org_id, user_id, reference, storage_tier, bandwidth_tier, term_months,
    amount_cents, currency, created_at)
  values (${p.id}, ${p.orgId}, ${p.userId}, ${p.reference}, ${p.storageTier}, ${p.bandwidthTier},
    ${p.termMonths}, ${p.amountCents}, ${p.currency}, ${now})`

export const findPayment = (q: Sql, reference: string) =>
  maybeOne(q<{ orgId: string }[]>`
    select org_id as "orgId" from storage.payments where reference = ${reference}`)

/** Returns false for an event that was received before; waits for one that is being processed. */
export const rememberEvent = async (q: Sql, id: string, now: Date) =>
  (
    await q`insert into storage.payment_events (id, received_at) values (${id}, ${now}) on conflict do nothing`
  ).count === 1

/** The payment, if this outcome changes it: a failed payment may still succeed, a succeeded one stays so. */
export const settlePayment = (q: Sql, reference: string, outcome: 'succeeded' | 'failed') =>
  maybeOne(q<PaymentRow[]>`
    update storage.payments set status = ${outcome}
    where reference = ${reference} and status not in ('succeeded', ${outcome})
    returning id, org_id as "orgId", user_id as "userId", reference, storage_tier as "storageTier",
      bandwidth_tier as "bandwidthTier", term_months as "termMonths", amount_cents as "amountCents", currency`)

export type ChargeRow = {
  id: string
  source: 'payment' | 'promo'
  text: string
  months: number
  amount: number
  currency: string
  status: string
  date: number
}

const maxCharges = 1_000

export const listCharges = (q: Sql, orgId: string, currency: string) => q<ChargeRow[]>`
  select id, source, text, months, amount, currency, status, extract(epoch from created_at)::int8 as date from (
    (select id, 'payment' as source, storage_tier || ' + ' || bandwidth_tier as text, term_months as months,
       amount_cents as amount, currency, status, created_at
     from storage.payments where org_id = ${orgId} order by created_at desc, id desc limit ${maxCharges})
    union all
    (select id, 'promo', code, months, 0, ${currency}, 'succeeded', created_at
     from storage.promo_redemptions where org_id = ${orgId})) charges
  order by created_at desc, id desc limit ${maxCharges}`

/** Uses a valid code once. The row stays locked, so uses never exceed their limit. */
export const usePromo = (q: Sql, code: string, now: Date) =>
  maybeOne(q<{ months: number }[]>`
    update storage.promo_codes set uses = uses + 1
    where code = ${code} and (expires_at is null or expires_at > ${now}) and (max_uses is null or uses < max_uses)
    returning months`)

/** Returns false if this organization has redeemed the code before. */
export const insertRedemption = async (
  q: Sql,
  r: { id: string; orgId: string; code: string; months: number; now: Date },
) =>
  (
    await q`
      insert into storage.promo_redemptions (id, org_id, code, months, created_at)
      values (${r.id}, ${r.orgId}, ${r.code}, ${r.months}, ${r.now}) on conflict (org_id, code) do nothing`
  ).count === 1

export type NewPromo = { code: string; months: number; expiresAt: Date | null; maxUses: number | null }

export const insertPromo = async (q: Sql, p: NewPromo, now: Date) =>
  (
    await q`
      insert into storage.promo_codes (code, months, expires_at, max_uses, created_at)
      values (${p.code}, ${p.months}, ${p.expiresAt}, ${p.maxUses}, ${now}) on conflict do nothing`
  ).count === 1

export type PromoRow = {
  code: string
  months: number
  uses: number
  max_uses: number | null
  expires_at: string | null
  created_at: string
}

const promosLike = (q: Sql, search: string | null) =>
  q`from storage.promo_codes where ${search}::text is null or code ilike ${`%${escapeLike(search ?? '')}%`}`

export const countPromos = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${promosLike(q, search)}`)

export const listPromos = (q: Sql, { search, limit, offset }: ListPage) => q<PromoRow[]>`
  select code, months, uses, max_uses, expires_at, created_at ${promosLike(q, search)}
  order by created_at desc, code limit ${limit} offset ${offset}`

/** Whether there was one that had not ended. */
export const endPromo = async (q: Sql, code: string, now: Date) =>
  (
    await q`
      update storage.promo_codes set expires_at = ${now}
      where code = ${code} and (expires_at is null or expires_at > ${now})`
  ).count === 1

export const lockOrganization = (q: Sql, slug: string, now: Date) =>
  maybeOne(q<(PlanRow & { id: string; kept_status: 'trial' | 'active' })[]>`
    select id, plan_status as kept_status, ${planColumns(q, now)} from storage.organizations
    where slug = ${slug} for no key update`)

type NewPlan = { status: 'trial' | 'active'; expiresAt: Date; tiers: TierChange; now: Date }

export const setPlan = (q: Sql, orgId: string, { status, expiresAt, tiers, now }: NewPlan) => q`
  update storage.organizations set plan_status = ${status}, plan_expires_at = ${expiresAt},
    plan_end_told = ${expiresAt <= now ? expiresAt : null}, ${tierChange(q, tiers)}
  where id = ${orgId}`

/** Notes that plans have ended, which is an event. Returns of how many. */
export const tellOfEnds = async (q: Sql, now: Date, limit: number) =>
  (
    await q`
      update storage.organizations set plan_end_told = plan_expires_at where id in (
        select id from storage.organizations
        where plan_expires_at <= ${now} and plan_end_told is distinct from plan_expires_at
        order by plan_expires_at limit ${limit} for no key update skip locked)`
  ).count
