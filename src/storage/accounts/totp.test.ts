import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { checkTotp, newTotp } from './totp.ts'

// RFC 6238, appendix B (SHA-1): the last six of the eight digits printed there.
const rfcSecret = Secret.fromLatin1('12345678901234567890').base32
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]
const at = (seconds: number) => new Date(seconds * 1000)

test('TOTP codes of the RFC 6238 test vectors are accepted at their time', () => {
  for (const [seconds, code] of vectors)
    assert.equal(checkTotp(rfcSecret, code, at(seconds), null), Math.floor(seconds / 30), code)
})

test('a TOTP code is accepted one step early or late, and no further', () => {
  const [seconds, code] = [1234567890, '005924']
  const step = seconds / 30
  for (const offset of [-30, 0, 30, 59])
    assert.equal(checkTotp(rfcSecret, code, at(seconds + offset), null), step)
  for (const offset of [-31, 60, 90])
    assert.equal(checkTotp(rfcSecret, code, at(seconds + offset), null), null)
})

test('a TOTP code is accepted once, and no older one after it', () => {
  const [seconds, code] = [1234567890, '005924']
  const step = seconds / 30
  assert.equal(checkTotp(rfcSecret, code, at(seconds), step - 1), step)
  assert.equal(checkTotp(rfcSecret, code, at(seconds), step), null)
  assert.equal(checkTotp(rfcSecret, code, at(seconds), step + 1), null)
})

test('a TOTP code that is not six digits is wrong, not an error', () => {
  const now = at(1234567890)
  for (const code of [
    '',
    '5924',
    '0005924',
    '005925',
    ' 005924',
    '005924\n',
    '00592x',
    '٠٠٥٩٢٤',
    'NaN',
    '1e5',
    '-05924',
  ])
    assert.equal(checkTotp(rfcSecret, code, now, null), null, JSON.stringify(code))
})

test('the otpauth URL of a new TOTP secret produces valid codes', () => {
  const { secret, url } = newTotp({ issuer: 'Trivet storage', account: 'ann+x@example.com' })
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const { protocol, host, searchParams } = new URL(url)
  assert.deepEqual([protocol, host], ['otpauth:', 'totp'])
  assert.equal(searchParams.get('secret'), secret)
  assert.equal(searchParams.get('issuer'), 'Trivet storage')

  const now = at(1234567890)
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() })
  assert.equal(checkTotp(secret, code, now, null), 41152263)
  assert.notEqual(newTotp({ issuer: 'x', account: 'y' }).secret, secret)
})
