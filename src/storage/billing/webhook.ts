import type { Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Principal, Storage } from '../context.ts'
import { payments } from './payments.ts'
import { activatePlan } from './plans.ts'
import type { Sandbox } from './providers/sandbox.ts'
import * as store from './store.ts'
import { bandwidthTier, storageTier } from './tiers.ts'

type Headers = Record<string, string | string[] | undefined>

/** Processes the outcome of a payment. An event counts once, however often it is delivered. */
export const receiveWebhook = async (ctx: Storage, body: Buffer, headers: Headers, ip: string) => {
  const { id, payment } = await payments(ctx).provider.readEvent(body, headers)
  await ctx.db.transaction(async (tx) => {
    if (!(await store.rememberEvent(tx, id, ctx.clock.now())) || !payment) return
    const settled = await store.settlePayment(tx, payment.reference, payment.outcome)
    if (settled && payment.outcome === 'succeeded') await deliver(ctx, tx, settled, ip)
  })
}

const deliver = async (ctx: Storage, tx: Tx, payment: store.PaymentRow, ip: string) => {
  const { id, orgId, termMonths } = payment
  const [storage, bandwidth] = [storageTier(payment.storageTier), bandwidthTier(payment.bandwidthTier)]
  const expiresAt = await activatePlan(ctx, tx, orgId, {
    months: termMonths,
    tiers: {
      storageTier: storage.code,
      storageQuota: storage.quota_bytes,
      bandwidthTier: bandwidth.code,
      bandwidthQuota: bandwidth.quota_bytes,
    },
  })
  await recordAudit(
    tx,
    { orgId, userId: payment.userId, ip },
    {
      action: 'plan.activated',
      resourceType: 'payment',
      resourceId: id,
      payload: { storageTier: storage.code, bandwidthTier: bandwidth.code, plan_expires_at: expiresAt },
      now: ctx.clock.now(),
    },
  )
}

const noPayment = () => notFound('No payment with this clientSecret')

/** Stands in for the card form: the sandbox sends the same kind of signed webhook as a real provider. */
export const confirmInSandbox = async (
  ctx: Storage,
  sandbox: Sandbox,
  me: Principal,
  clientSecret: string,
) => {
  const event = sandbox.confirm(clientSecret) ?? noPayment()
  const { payment } = await sandbox.readEvent(event.body, event.headers)
  const known = await store.findPayment(ctx.db.sql, payment?.reference ?? '')
  if (known?.orgId !== me.orgId) noPayment()
  await receiveWebhook(ctx, event.body, event.headers, me.ip)
}
