import { Type } from 'typebox'
import { scoped } from '#platform/http/scope.ts'
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

export const billing: Module = (app, ctx) => {
  app.get(
    '/billing/plan',
    {
      schema: { operationId: 'getPlan', summary: 'The current plan', tags, response: { 200: Plan } },
      config: { access: 'billing.read' },
    },
    (req) => currentPlan(ctx, who(req)),
  )

  app.get(
    '/billing/tiers',
    {
      schema: { operationId: 'listTiers', summary: 'What can be bought', tags, response: { 200: Tiers } },
      config: { access: 'billing.read' },
    },
    async () => priceList(),
  )

  app.post(
    '/billing/purchase',
    {
      schema: {
        operationId: 'purchasePlan',
        summary: 'Begin a payment; the plan changes once it went through',
        tags,
        body: Purchase,
        response: { 201: PurchaseCreated },
      },
      config: { access: 'billing.purchase', idempotent: true },
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
        summary: 'Payments and promo redemptions, newest first',
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
        summary: 'Extend the plan with a promo code, once each',
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
          summary: 'Pay without a card; exists only while no payment provider is configured',
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
          summary: 'For the payment provider: signed events',
          description: 'Up to 600 a minute from one address.',
          tags,
          response: { 200: Received },
        },
        config: { access: 'public', limit: 'webhook', refuses: [400] },
      },
      async (req) => {
        await receiveWebhook(ctx, (req.body as Buffer | undefined) ?? Buffer.alloc(0), req.headers, req.ip)
        return { received: true }
      },
    )
  })
}
