import type { Platform } from '#platform/platform.ts'

type NewPayment = { id: string; amountCents: number; currency: string; description: string }

/** An event of the provider; `payment` is null if it is not about a payment of ours. */
export type PaymentEvent = {
  id: string
  payment: { reference: string; outcome: 'succeeded' | 'failed' } | null
}

/** Takes card payments. Their outcome is known only from the signed events that it sends. */
export type PaymentProvider = {
  /** Idempotent: the same payment yields the same result. */
  begin(payment: NewPayment): Promise<{ reference: string; clientSecret: string }>
  /** The event in the body of a webhook; throws 400 unless the provider signed it. */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<PaymentEvent>
}

export type Billing = Pick<Platform, 'config' | 'clock' | 'secrets'>
