import type { Stripe } from 'stripe'
import { badRequest, unavailable } from '#platform/errors.ts'
import type { Billing, PaymentEvent, PaymentProvider } from './provider.ts'

type Settings = NonNullable<Billing['config']['stripe']>

const outcomes: Partial<Record<Stripe.Event['type'], 'succeeded' | 'failed'>> = {
  'payment_intent.succeeded': 'succeeded',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.canceled': 'failed',
}

/** Card payments by Stripe, through its own library. */
export const stripeProvider = (
  { secretKey, webhookSecret, apiUrl }: Settings,
  ctx: Billing,
): PaymentProvider => {
  // Loaded at the first payment: it would delay every start by a fifth of a second.
  let client: Promise<Stripe> | undefined
  const stripe = () => {
    client ??= import('stripe').then(({ Stripe }) => new Stripe(secretKey, optionsFor(apiUrl)))
    return client
  }

  return {
    async begin({ id, amountCents, currency, description }) {
      const { paymentIntents } = await stripe()
      try {
        const intent = await paymentIntents.create(
          {
            amount: amountCents,
            currency,
            description,
            automatic_payment_methods: { enabled: true },
            metadata: { payment_id: id },
          },
          { idempotencyKey: id },
        )
        if (!intent.client_secret) throw new Error('Stripe answered without a client secret')
        return { reference: intent.id, clientSecret: intent.client_secret }
      } catch (cause) {
        return unavailable('The payment provider is not available', cause)
      }
    },

    async readEvent(body, headers) {
      const { webhooks } = await stripe()
      const signature = headers['stripe-signature'] ?? ''
      const receivedAt = ctx.clock.now().getTime()
      try {
        return toPaymentEvent(
          webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, receivedAt),
        )
      } catch {
        return badRequest('The signature of the webhook is not valid')
      }
    },
  }
}

const toPaymentEvent = ({ id, type, data }: Stripe.Event): PaymentEvent => {
  const outcome = outcomes[type]
  return { id, payment: outcome ? { reference: (data.object as Stripe.PaymentIntent).id, outcome } : null }
}

const optionsFor = (apiUrl: string | undefined) => {
  const common = { timeout: 10_000, maxNetworkRetries: 2, telemetry: false }
  if (apiUrl === undefined) return common
  const { protocol, hostname, port } = new URL(apiUrl)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return {
    ...common,
    protocol: scheme,
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
  } as const
}
