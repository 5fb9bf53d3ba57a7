import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/secrets.ts'
import type { SignedQuery } from './schema.ts'

/** Everything that a signature covers. A term that is not set is empty. */
export type SignedTerms = {
  method: string
  bucketId: string
  key: string
  expires: string
  maxBytes: string
  contentType: string
  versionId: string
  /** Who signed: a user, or one of a user's keys. */
  signer: { kind: 'user' | 'key'; id: string }
}

const hex = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuid = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const signerText = ({ kind, id }: SignedTerms['signer']) =>
  Buffer.concat([Buffer.from([kind === 'user' ? 1 : 2]), hex(id)]).toString('base64url')

const readSigner = (text: string): SignedTerms['signer'] | null => {
  const bytes = Buffer.from(text, 'base64url')
  const kind = bytes[0] === 1 ? 'user' : bytes[0] === 2 ? 'key' : null
  if (kind === null || bytes.length !== 17 || bytes.toString('base64url') !== text) return null
  return { kind, id: uuid(bytes.subarray(1)) }
}

/** Each part with its length, so that different terms never yield the same text. */
const mac = (secrets: Secrets, g: SignedTerms) => {
  const about = [g.method, g.bucketId, g.key, g.expires, g.maxBytes, g.contentType, g.versionId]
  const parts = [...about, signerText(g.signer)]
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('\n')
  return createHmac('sha256', secrets.key('storage.signed-urls')).update(text).digest()
}

export const sign = (secrets: Secrets, terms: SignedTerms) =>
  `${signerText(terms.signer)}.${mac(secrets, terms).toString('base64url')}`

/** The terms in a query, if they are signed by us for this object; null otherwise. */
export const readTerms = (
  secrets: Secrets,
  { bucketId, key }: { bucketId: string; key: string },
  query: SignedQuery,
): SignedTerms | null => {
  const { signature = '', expires = '', method = '', maxBytes = '', contentType = '', versionId = '' } = query
  const [by = '', proof = '', ...rest] = signature.split('.')
  const signer = readSigner(by)
  if (!signer || rest.length > 0) return null
  const terms = { method, bucketId, key, expires, maxBytes, contentType, versionId, signer }
  const given = Buffer.from(proof, 'base64url')
  const expected = mac(secrets, terms)
  // Base64 has several spellings of the same bytes; only ours counts.
  if (given.toString('base64url') !== proof || given.length !== expected.length) return null
  return timingSafeEqual(given, expected) ? terms : null
}
