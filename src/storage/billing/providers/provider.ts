import type { Platform } from '#platform/platform.ts'

type NewPayment = { id: string; amountCents: number; currency: string; description: string }

/** What a provider tells about a payment of ours; `null` when the event is about something else. */
export type PaymentEvent = {
  id: string
  payment: { reference: string; outcome: 'succeeded' | 'failed' } | null
}

/** Takes card payments. What became of one is known only by the signed events that it sends. */
export type PaymentProvider = {
  /** Asked again for the same payment, it answers the same. */
  begin(payment: NewPayment): Promise<{ reference: string; clientSecret: string }>
  /** The event in the body of a webhook; throws 400 unless the provider signed it. */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<PaymentEvent>
}

export type Billing = Pick<Platform, 'config' | 'clock' | 'secrets'>
