import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { lru } from '#platform/cache/lru.ts'

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

/** The hash as text, under which a key that is sent is looked up. Those seen lately are not hashed again. */
export const apiKeyName = (key: string) => {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = hashApiKey(key).toString('base64')
  if (key.length <= longest) names.set(key, name)
  return name
}
const names = lru<string>(10_000)
const longest = 128

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
