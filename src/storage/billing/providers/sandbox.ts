import { createHmac, timingSafeEqual } from 'node:crypto'
import { badRequest } from '#platform/errors.ts'
import type { Billing, PaymentEvent, PaymentProvider } from './provider.ts'

const header = 'x-sandbox-signature'

export type Sandbox = PaymentProvider & {
  /** The signed webhook of a successful payment, which a card form would cause. */
  confirm(clientSecret: string): { body: Buffer; headers: Record<string, string> } | null
}

/** Payments without money or an account. It keeps no state: everything is in the signed client secret. */
export const sandboxProvider = ({ secrets }: Billing): Sandbox => {
  const sign = (purpose: string, text: string | Buffer) =>
    createHmac('sha256', secrets.key(`storage.sandbox.${purpose}`))
      .update(text)
      .digest('base64url')
  const signed = (purpose: string, text: string | Buffer, signature: string) => {
    const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(purpose, text))]
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  return {
    async begin({ id }) {
      const reference = `sandbox_${id}`
      return { reference, clientSecret: `${reference}_secret_${sign('client', reference)}` }
    },

    confirm(clientSecret) {
      const [, reference = '', signature = ''] =
        /^(sandbox_[0-9a-f-]{36})_secret_(.+)$/.exec(clientSecret) ?? []
      if (!signed('client', reference, signature)) return null
      const event: PaymentEvent = { id: `evt_${reference}`, payment: { reference, outcome: 'succeeded' } }
      const body = Buffer.from(JSON.stringify(event))
      return { body, headers: { [header]: sign('webhook', body) } }
    },

    async readEvent(body, headers) {
      if (!signed('webhook', body, String(headers[header] ?? '')))
        return badRequest('The signature of the webhook is not valid')
      return JSON.parse(body.toString()) as PaymentEvent
    },
  }
}
