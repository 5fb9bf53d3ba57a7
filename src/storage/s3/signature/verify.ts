import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../errors.ts'
import { canonicalRequest, type SignedParts, sha256 } from './canonical.ts'
import { payloadHashOf, unsignedPayload } from './payload-hash.ts'
import { algorithm, type Presented } from './presented.ts'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The key that signs on one day for one region. */
export const signingKeyOf = (secret: string, scope: string) =>
  scope.split('/').reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`) as Buffer

/** What was signed about the body, and what the signatures of its chunks continue from. */
export type Signer = { key: Buffer; date: string; scope: string; signature: string; payloadHash: string }

export const signatureOf = (key: Buffer, stringToSign: string) => hmac(key, stringToSign).toString('hex')

export const sameSignature = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const maxSkewMs = 15 * 60_000

const checkTime = ({ signedAt, expires, date }: Presented, now: Date) => {
  const time = now.getTime()
  const isSkewed = signedAt - time > maxSkewMs || (expires === null && time - signedAt > maxSkewMs)
  if (isSkewed)
    refuse('RequestTimeTooSkewed', undefined, {
      fields: { RequestTime: date, ServerTime: now.toISOString(), MaxAllowedSkewMilliseconds: maxSkewMs },
    })
  if (expires !== null && time >= signedAt + expires * 1000)
    refuse('AccessDenied', 'Request has expired', {
      fields: {
        'X-Amz-Expires': expires,
        Expires: new Date(signedAt + expires * 1000).toISOString(),
        ServerTime: now.toISOString(),
      },
    })
}

/** Otherwise somebody who saw a signature could add headers that change what the request does. */
const checkSignedHeaders = ({ headers }: SignedParts, { signedHeaders }: Presented) => {
  const unsigned: string[] = []
  for (const name of headers.keys())
    if (name.startsWith('x-amz-') && !signedHeaders.includes(name)) unsigned.push(name)
  if (unsigned.length > 0)
    refuse('AccessDenied', 'There were headers present in the request which were not signed', {
      fields: { HeadersNotSigned: unsigned.join(', ') },
    })
}

/** Headers that clients send on purpose. Any other may have been added by a browser or a proxy, which told nobody. */
const isOnPurpose = (name: string) =>
  /^(?:host|date|range|content-.+|x-amz-.+)$/.test(name) && !/-(?:security-token|customer-key)$/.test(name)

const withoutSecrets = (parts: SignedParts): SignedParts => ({
  ...parts,
  headers: new Map([...parts.headers].map(([name, values]) => [name, isOnPurpose(name) ? values : ['…']])),
})

/**
 * Throws unless the request was signed with this secret. A mismatch shows what we have computed, so that whoever holds the
 * secret can find the difference; without the secret it is of no use.
 */
export const verifySignature = (
  parts: SignedParts,
  presented: Presented,
  { signingKey, now }: { signingKey: Buffer; now: Date },
): Signer => {
  const { accessKey, date, scope, signedHeaders, signature } = presented
  // A signature for no host would hold for all.
  if (!parts.headers.get('host')?.[0]) refuse('InvalidRequest', 'A signed request must name its host')
  checkTime(presented, now)
  checkSignedHeaders(parts, presented)
  const payloadHash = payloadHashOf(parts, presented)
  const canonical = canonicalRequest(parts, signedHeaders, payloadHash)
  const toSign = (bytes: Buffer) => [algorithm, date, scope, sha256(bytes)].join('\n')
  const isSigned = (bytes: Buffer) => sameSignature(signatureOf(signingKey, toSign(bytes)), signature)
  // Node decodes headers as Latin-1, so that these are the bytes that were sent.
  const sent = Buffer.from(canonical, 'latin1')
  // Some clients sign text as UTF-8 and send it as Latin-1.
  if (!isSigned(sent) && !isSigned(Buffer.from(canonical)))
    refuse('SignatureDoesNotMatch', undefined, {
      fields: {
        AWSAccessKeyId: accessKey,
        StringToSign: toSign(sent),
        SignatureProvided: signature,
        CanonicalRequest: canonicalRequest(withoutSecrets(parts), signedHeaders, payloadHash),
        Host: parts.headers.get('host')?.join(',') ?? '',
      },
    })
  return { key: signingKey, date, scope, signature, payloadHash }
}

/** The same for the policy of a form, of which nothing but its text is signed. Until when it is valid is in the policy. */
export const verifyPolicy = (
  policy: string,
  { accessKey, date, scope, signature, signedAt }: Presented,
  { signingKey, now }: { signingKey: Buffer; now: Date },
): Signer => {
  if (signedAt - now.getTime() > maxSkewMs) refuse('RequestTimeTooSkewed')
  if (!sameSignature(signatureOf(signingKey, policy), signature))
    refuse('SignatureDoesNotMatch', undefined, {
      fields: { AWSAccessKeyId: accessKey, StringToSign: policy, SignatureProvided: signature },
    })
  return { key: signingKey, date, scope, signature, payloadHash: unsignedPayload }
}
