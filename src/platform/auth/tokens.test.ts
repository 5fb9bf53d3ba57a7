import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTokens } from '#platform/auth/tokens.ts'
import { movableClock } from '#platform/clock.ts'

type Claims = { sub: string; epoch: number }

const key = randomBytes(32)
const setup = ({ audience = 'storage', lifetimeSeconds = 3600 } = {}) => {
  const clock = movableClock()
  return { clock, tokens: createTokens<Claims>({ key, audience, lifetimeSeconds, clock }) }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
const forge = (header: object, payload: object, hash = 'sha256') => {
  const body = `${base64url(header)}.${base64url(payload)}`
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`
}

test('verifying an issued token returns its claims', async () => {
  const { tokens } = setup()
  const token = await tokens.issue({ sub: 'u1', epoch: 4 })
  const claims = await tokens.verify(token)
  assert.equal(claims?.sub, 'u1')
  assert.equal(claims?.epoch, 4)
  assert.equal(claims!.exp - claims!.iat, 3600)
  assert.deepEqual(Object.keys(payloadOf(token)).sort(), ['aud', 'epoch', 'exp', 'iat', 'iss', 'sub'])
})

test('a token expires, also if it was verified before', async () => {
  const { clock, tokens } = setup({ lifetimeSeconds: 60 })
  const [seen, unseen] = await Promise.all([
    tokens.issue({ sub: 'a', epoch: 0 }),
    tokens.issue({ sub: 'b', epoch: 0 }),
  ])
  assert.ok(await tokens.verify(seen))
  clock.advance(58_000)
  assert.ok(await tokens.verify(seen))
  clock.advance(2_000)
  for (const token of [seen, unseen]) {
    assert.equal(await tokens.verify(token), null)
    assert.equal(await tokens.hasExpired(token), true)
  }
  const foreign = setup({ audience: 'inventory', lifetimeSeconds: -60 }).tokens
  assert.equal(await tokens.hasExpired(await foreign.issue({ sub: 'a', epoch: 0 })), false)
  assert.equal(await tokens.hasExpired('nonsense'), false)
})

test('a token with another audience or another key is not valid', async () => {
  const { tokens, clock } = setup()
  const claims = { sub: 'u1', epoch: 0 }
  assert.equal(await tokens.verify(await setup({ audience: 'inventory' }).tokens.issue(claims)), null)
  const stranger = createTokens<Claims>({
    key: randomBytes(32),
    audience: 'storage',
    lifetimeSeconds: 60,
    clock,
  })
  assert.equal(await tokens.verify(await stranger.issue(claims)), null)
})

test('a token must use HS256 and have our issuer, an audience and an expiry', async () => {
  const { tokens } = setup()
  const now = Math.floor(Date.now() / 1000)
  const payload = { sub: 'u1', iss: 'trivet', aud: 'storage', iat: now, exp: now + 60 }
  const { exp: _exp, ...endless } = payload
  assert.ok(await tokens.verify(forge({ alg: 'HS256' }, payload)), 'the forgery itself is well made')

  const unsigned = `${base64url({ alg: 'none' })}.${base64url(payload)}.`
  const wrong = [
    unsigned,
    forge({ alg: 'none' }, payload),
    forge({ alg: 'HS512' }, payload, 'sha512'),
    forge({ alg: 'HS256' }, { ...payload, iss: 'somebody' }),
    forge({ alg: 'HS256' }, { ...payload, aud: undefined }),
    forge({ alg: 'HS256' }, endless),
    forge({ alg: 'HS256', crit: ['b64'], b64: false }, payload),
  ]
  for (const token of wrong) assert.equal(await tokens.verify(token), null, token)
})

test('an altered or malformed token is not valid, also right after the original was verified', async () => {
  const { tokens } = setup()
  const token = await tokens.issue({ sub: 'u1', epoch: 0 })
  assert.ok(await tokens.verify(token))
  const [header, , signature] = token.split('.')
  const swapped = `${header}.${base64url({ ...payloadOf(token), sub: 'u2' })}.${signature}`
  for (const altered of [swapped, `${token}x`, token.slice(0, -1), '', '.', '..', 'a.b.c', '\0'])
    assert.equal(await tokens.verify(altered), null, altered)
  // Of the last character, two bits are nobody's.
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    if (last !== token.at(-1)) assert.equal(await tokens.verify(token.slice(0, -1) + last), null, last)
})

test('claims cannot override the registered claims of a token', async () => {
  const { tokens } = setup()
  const sly = { sub: 'u1', epoch: 0, exp: 9_999_999_999, aud: 'inventory', iss: 'me', iat: 0 }
  const claims = await tokens.verify(await tokens.issue(sly))
  assert.equal(claims!.exp - claims!.iat, 3600)
})

test('a token that was verified before returns cached, frozen claims', async () => {
  const { tokens } = setup()
  const token = await tokens.issue({ sub: 'u1', epoch: 0 })
  const first = await tokens.verify(token)
  assert.equal(await tokens.verify(token), first)
  assert.ok(Object.isFrozen(first))
})
