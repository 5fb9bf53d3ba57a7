import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashApiKey, newApiKey, randomBase62, sameHash } from '#platform/auth/api-keys.ts'
import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'

test('an API key carries its prefix and enough chance, and is found again by its hash', () => {
  const { key, hash, visible } = newApiKey('inv_live_')
  assert.match(key, /^inv_live_[0-9A-Za-z]{36}$/)
  assert.ok(36 * Math.log2(62) >= 190)
  assert.equal(visible, key.slice(0, 12))
  assert.equal(hash.length, 32)
  assert.ok(sameHash(hash, hashApiKey(key)))
  assert.ok(!sameHash(hash, hashApiKey(`${key}x`)))
  assert.notEqual(newApiKey('inv_live_').key, key)
})

test('hashes of different length are different, not an error', () => {
  assert.equal(sameHash(Buffer.alloc(32), Buffer.alloc(31)), false)
})

test('base62 has the length asked for and favours no character', () => {
  for (const length of [0, 1, 20, 1000])
    assert.match(randomBase62(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
  const counts = new Map<string, number>()
  for (const character of randomBase62(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // Expected 10,000 each with a deviation of about 100: eight of them is chance for nobody.
  for (const [character, count] of counts) assert.ok(Math.abs(count - 10_000) < 800, `${character}: ${count}`)
})

test('a one-time token goes into a link as it is and is found again by its hash', () => {
  const { token, hash } = newOneTimeToken()
  assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(encodeURIComponent(token), token)
  assert.deepEqual(hashOneTimeToken(token), hash)
  assert.notEqual(newOneTimeToken().token, token)
})
