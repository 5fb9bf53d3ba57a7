import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const length = 32

const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, index) => byte ^ b[index]!))

/**
 * Proves that a form came from one of our own pages: only the browser knows the cookie that it is derived from. Masked with
 * random bytes, it differs each time, so that the size of compressed pages says nothing about it.
 */
export const formTokenOf = (cookie: string) => {
  const own = createHash('sha256').update(`form:${cookie}`).digest()
  const mask = randomBytes(length)
  return Buffer.concat([mask, xor(own, mask)]).toString('base64url')
}

const unmasked = (token: string) => {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.length === 2 * length ? xor(bytes.subarray(length), bytes.subarray(0, length)) : null
}

/** Whether two tokens are derived from the same cookie. */
export const isSameFormToken = (given: string, own: string) => {
  const [a, b] = [unmasked(given), unmasked(own)]
  return a !== null && b !== null && timingSafeEqual(a, b)
}
