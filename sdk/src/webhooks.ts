import type { TrivetEvent } from './events.ts'

type Delivery = {
  /** `whsec_…`; several while a secret is being rotated. */
  secret: string | string[]
  /** The headers of the request, of `fetch` or of `node:http`. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as it was sent, before anything has parsed it. */
  body: string | Uint8Array
  /** How old a delivery may be, in seconds (default: 300). */
  toleranceSeconds?: number
}

/** A delivery that Trivet did not sign with this secret, or not just now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const headerOf = (headers: Delivery['headers'], name: string) => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (!value || Array.isArray(value)) throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

const keyOf = (secret: string) => {
  const encoded = secret.replace(/^whsec_/, '')
  return crypto.subtle.importKey('raw', bytesOf(encoded), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
}

/** `v1,<base64>`, separated by spaces; others may be among them. */
const signaturesIn = (header: string) =>
  header.split(' ').flatMap((item) => {
    const [version, value = ''] = item.split(',', 2)
    return version === 'v1' && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0
      ? [bytesOf(value)]
      : []
  })

/**
 * Verifies a delivery by the Standard Webhooks specification and returns its event. Throws a WebhookVerificationError if it
 * is not genuine. A receiver should drop an event whose id it has seen: deliveries are made at least once.
 */
export const verifyWebhook = async ({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: Delivery): Promise<TrivetEvent> => {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'))
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The timestamp is too old or too new')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of [secret].flat()) {
    const key = await keyOf(one)
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text)
  }
  throw new WebhookVerificationError('The signature does not match')
}
