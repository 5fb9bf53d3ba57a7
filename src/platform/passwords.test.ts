import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { createPasswords } from '#platform/passwords.ts'

const passwords = createPasswords()

test('a password is verified against its hash, and only that password', async () => {
  const stored = await passwords.hash('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await passwords.verify(stored, 'correct horse'), true)
  assert.equal(await passwords.verify(stored, 'Correct horse'), false)
  assert.equal(await passwords.verify(stored, ''), false)
  assert.notEqual(await passwords.hash('correct horse'), stored)
})

test('passwords are compared exactly, without Unicode normalization', async () => {
  const composed = await passwords.hash('caf\u00e9')
  assert.equal(await passwords.verify(composed, 'caf\u00e9'), true)
  assert.equal(await passwords.verify(composed, 'cafe\u0301'), false)
})

test('a password hash with other parameters is verified with these', async () => {
  const nonce = Buffer.from('sixteen bytes ok')
  const cost = { message: 'old', nonce, memory: 64, passes: 3, parallelism: 2, tagLength: 24 }
  const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const stored = `$argon2id$v=19$m=64,t=3,p=2$${bare(nonce)}$${bare(argon2Sync('argon2id', cost))}`
  assert.equal(await passwords.verify(stored, 'old'), true)
  assert.equal(await passwords.verify(stored, 'new'), false)
})

test('a stored password hash in another format is an error, not a wrong password', async () => {
  await assert.rejects(passwords.verify('$2b$10$abcdefghijklmnopqrstuv', 'x'), /argon2id format/)
  await assert.rejects(passwords.verify('', 'x'), /argon2id format/)
})

test('verifying the password of an unknown account takes as long as for a known one', async () => {
  const stored = await passwords.hash('correct horse')
  const processorTime = async (subject: string | null) => {
    const before = process.cpuUsage()
    assert.equal(await passwords.verify(subject, 'wrong'), false)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  // Whatever else the process does meanwhile only adds to a time.
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < 5; turn++) {
    least.known = Math.min(least.known, await processorTime(stored))
    least.unknown = Math.min(least.unknown, await processorTime(null))
  }
  const { known, unknown } = least
  assert.ok(unknown > known / 2 && unknown < known * 2, `${unknown} µs against ${known} µs`)
})

test('password hashing: beyond the queue requests get 503, and those in it are served', async () => {
  const narrow = createPasswords({ concurrency: 1, maxWaiting: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => narrow.hash('x')))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  for (const outcome of outcomes.slice(3)) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof AppError)
    assert.equal(outcome.reason.status, 503)
  }
  assert.equal(await narrow.verify(await narrow.hash('after'), 'after'), true)
})

test('password hashing: a queued request counts as running once it is its turn', async () => {
  const narrow = createPasswords({ concurrency: 1, maxWaiting: 1 })
  const [first, second] = [narrow.hash('1'), narrow.hash('2')]
  await first
  const third = narrow.hash('3')
  await assert.rejects(narrow.hash('4'), { status: 503 })
  await Promise.all([second, third])
})

test('the event loop stays free while passwords are hashed', async () => {
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  await passwords.hash('x')
  clearInterval(ticking)
  assert.ok(turns > 2, `${turns} turns`)
})
