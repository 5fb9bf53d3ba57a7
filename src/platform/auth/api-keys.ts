import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 36
const visibleLength = 12

export type NewApiKey = {
  /** Shown to its owner once and never stored. */
  key: string
  hash: Buffer
  /** What lists show, so that its owner can tell one key from another. */
  visible: string
}

/** 36 characters are 214 bits: guessing stays hopeless with the visible ones known. */
export const newApiKey = (prefix: string): NewApiKey => {
  const key = prefix + randomBase62(secretLength)
  return { key, hash: hashApiKey(key), visible: key.slice(0, visibleLength) }
}

/** A fast hash suffices, since the key is random and not a person's choice. */
export const hashApiKey = (key: string) => hash('sha256', key, 'buffer')

/** The hash as text, by which a key that is sent is looked up. */
export const apiKeyName = (key: string) => hash('sha256', key, 'base64')

export const sameHash = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

export const randomBase62 = (length: number) => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      // The bytes past the last whole run of the alphabet would favour its first characters.
      if (byte < 4 * alphabet.length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
