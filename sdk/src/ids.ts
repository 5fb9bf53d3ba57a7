/**
 * A random id, such as for an Idempotency-Key. Browsers have `randomUUID` only on secure pages, but a server in a local
 * network may have no certificate.
 */
export const randomId = () =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('')
