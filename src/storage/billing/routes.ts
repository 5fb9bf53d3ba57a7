import { scoped } from '#platform/http/scope.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { currentPlan, listCharges, priceList, purchase, redeemPromo } from './billing.ts'
import { payments } from './payments.ts'
import {
  Invoice,
  PaymentStatus,
  Plan,
  PromoRedeemed,
  PromoRedemption,
  Purchase,
  PurchaseCreated,
  Received,
  SandboxConfirmation,
  Tiers,
} from './schema.ts'
import { confirmInSandbox, receiveWebhook } from './webhook.ts'

const tags = ['Billing']
const eventLimit = 1024 * 1024

export const billing: Module = (app, ctx) => {
  app.get(
    '/billing/plan',
    {
      schema: {
        operationId: 'getPlan',
        summary: 'Get the current plan',
        description:
          "Returns the organization's plan, its expiry and its quotas. Once a plan has expired, reading " +
          'and deleting still work, but writes are refused with 403. Owners and admins may read it.',
        tags,
        response: { 200: Plan },
      },
      config: { access: 'billing.read' },
    },
    (req) => currentPlan(ctx, who(req)),
  )

  app.get(
    '/billing/tiers',
    {
      schema: {
        operationId: 'listTiers',
        summary: 'List plan tiers',
        description:
          'Returns the storage and bandwidth tiers that can be bought, with their quotas and monthly ' +
          'prices in cents. Owners and admins may read them.',
        tags,
        response: { 200: Tiers },
      },
      config: { access: 'billing.read' },
    },
    async () => priceList(),
  )

  app.post(
    '/billing/purchase',
    {
      schema: {
        operationId: 'purchasePlan',
        summary: 'Purchase a plan',
        description:
          'Starts a card payment and returns its client secret and the amount in cents. The plan changes ' +
          'only when the payment provider confirms the payment; it then runs for the months that were ' +
          'bought, added to the time that is left. Only the owner may buy.',
        tags,
        body: Purchase,
        response: { 201: PurchaseCreated },
      },
      config: { access: 'billing.purchase', idempotent: true, showsSecret: true },
    },
    async (req, reply) => {
      reply.code(201)
      return purchase(ctx, who(req), req.body)
    },
  )

  app.get(
    '/billing/charges',
    {
      schema: {
        operationId: 'listCharges',
        summary: 'List charges',
        description:
          'Returns payments and promo code redemptions, newest first. Amounts are in cents. Owners and ' +
          'admins may read them.',
        tags,
        response: { 200: Type.Array(Invoice) },
      },
      config: { access: 'billing.read' },
    },
    (req) => listCharges(ctx, who(req)),
  )

  app.post(
    '/billing/redeem-promo',
    {
      schema: {
        operationId: 'redeemPromo',
        summary: 'Redeem a promo code',
        description:
          'Extends the plan by the months of a promo code. A code counts once for each organization; an ' +
          'invalid, expired or already used one returns 400. Only the owner may redeem codes.',
        tags,
        body: PromoRedemption,
        response: { 200: PromoRedeemed },
      },
      config: { access: 'billing.purchase', idempotent: true },
    },
    (req) => redeemPromo(ctx, who(req), req.body.code),
  )

  const { sandbox } = payments(ctx)
  if (sandbox)
    app.post(
      '/billing/sandbox/confirm',
      {
        schema: {
          operationId: 'confirmInSandbox',
          summary: 'Confirm a sandbox payment',
          description:
            "Completes a payment without a card, in place of the payment provider's form. It exists only " +
            'while no payment provider is configured; otherwise it returns 404. Only the owner may do ' +
            'this.',
          tags,
          body: SandboxConfirmation,
          response: { 200: PaymentStatus },
        },
        config: { access: 'billing.purchase', refuses: [404] },
      },
      async (req) => {
        await confirmInSandbox(ctx, sandbox, who(req), req.body.clientSecret)
        return { status: 'succeeded' }
      },
    )

  // The signature covers the bytes of the body, so it is not parsed here.
  scoped(app, (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.post(
      '/billing/webhook',
      {
        schema: {
          operationId: 'receivePaymentEvent',
          summary: 'Receive a payment event',
          description:
            'Called by the payment provider with a signed event; a wrong signature returns 400. An event ' +
            'that is delivered again changes nothing. At most 600 requests a minute from one address.',
          tags,
          response: { 200: Received },
        },
        config: { access: 'public', limit: 'webhook', refuses: [400] },
        // Not parsed before its signature is found to be right.
        bodyLimit: eventLimit,
      },
      async (req) => {
        await receiveWebhook(ctx, (req.body as Buffer | undefined) ?? Buffer.alloc(0), req.headers, req.ip)
        return { received: true }
      },
    )
  })
}
