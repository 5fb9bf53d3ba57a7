import { webcrypto } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { lru } from '#platform/cache/lru.ts'
import type { Clock } from '#platform/clock.ts'
import { codeOf } from '#platform/errors.ts'

type Verified<Claims> = Readonly<Claims & { iat: number; exp: number }>

export type Tokens<Claims extends object> = {
  issue(claims: Claims): Promise<string>
  /** The claims of a valid token; `null` for anything else, whatever the reason. */
  verify(token: string): Promise<Verified<Claims> | null>
  /** Whether a token that is not valid was so until its time was over. */
  hasExpired(token: string): Promise<boolean>
}

const algorithm = 'HS256'
const issuer = 'trivet'
const maxCached = 10_000

/** Base64 has several spellings of the same bytes; only ours counts. */
const isOurSpelling = (token: string) =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

export const createTokens = <Claims extends object>({
  key,
  audience,
  lifetimeSeconds,
  clock,
}: {
  key: Buffer
  audience: string
  lifetimeSeconds: number
  clock: Clock
}): Tokens<Claims> => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const signingKey = webcrypto.subtle.importKey('raw', new Uint8Array(key), hmac, false, ['sign', 'verify'])
  const verified = lru<Verified<Claims>>(maxCached)
  const nowInSeconds = () => Math.floor(clock.now().getTime() / 1000)

  const check = async (token: string) => {
    if (!isOurSpelling(token)) throw new Error('The token is spelt in another way')
    const { payload } = await jwtVerify(token, await signingKey, {
      algorithms: [algorithm],
      issuer,
      audience,
      currentDate: clock.now(),
      requiredClaims: ['iat', 'exp'],
    })
    return Object.freeze(payload) as Verified<Claims>
  }

  return {
    async issue(claims) {
      const iat = nowInSeconds()
      return new SignJWT({ ...claims } as JWTPayload)
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(iat)
        .setExpirationTime(iat + lifetimeSeconds)
        .sign(await signingKey)
    },

    async verify(token) {
      const known = verified.get(token)
      if (known) return known.exp > nowInSeconds() ? known : null
      const claims = await check(token).catch(() => null)
      if (claims) verified.set(token, claims)
      return claims
    },

    hasExpired: (token) =>
      check(token).then(
        () => false,
        (error) => codeOf(error) === 'ERR_JWT_EXPIRED',
      ),
  }
}
