import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldAttempts } from '#platform/auth/attempts.ts'
import { addAttempt } from '#platform/auth/attempts-store.ts'
import { boot } from '#test/support/boot.ts'
import { password } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { accountsOf, elsewhere, serviceNames } from '#test/support/services.ts'

const quarterHour = 15 * 60_000
const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
const system = await boot({ env })
const second = await boot({ env, database: { url: system.databaseUrl } })

const wrong = 'wrong horse'
const advance = (milliseconds: number) => {
  for (const { clock } of [system, second]) clock.advance(milliseconds)
}

for (const name of serviceNames) {
  const service = accountsOf[name]
  const anew = (node = system) => elsewhere(service.client(node))
  const logIn = (email: string, secret = password, node = system) => service.logIn(anew(node), email, secret)
  const newAccount = () => service.register(anew())
  const fail = async (email: string, times: number, node = system) => {
    for (let n = 0; n < times; n++) assert.equal((await logIn(email, wrong, node)).status, 401)
  }

  test(`${name}: after five failures even the right password is refused for 15 minutes`, async () => {
    const { email } = await newAccount()
    await fail(email.toUpperCase(), 5)
    for (const secret of [wrong, password]) {
      const { status, headers, text } = await logIn(email, secret)
      assert.equal(status, 429)
      assert.match(text, /Too many failed attempts/)
      const wait = Number(headers.get('retry-after'))
      assert.ok(wait > 890 && wait <= 900, `${wait}`)
    }
    assert.equal((await logIn((await newAccount()).email)).status, 200, 'another account')
    advance(quarterHour - 10_000)
    assert.equal((await logIn(email)).status, 429)
    advance(10_000)
    assert.equal((await logIn(email)).status, 200)
  })

  test(`${name}: after five failures an unknown address is refused like a known one`, async () => {
    const { email } = await newAccount()
    const stranger = `${crypto.randomUUID()}@example.com`
    for (let n = 0; n < 7; n++) {
      const [known, unknown] = [await logIn(email, wrong), await logIn(stranger, wrong)]
      assert.equal(known.status, n < 5 ? 401 : 429)
      const told = ({ status, body }: typeof known) => [
        status,
        { ...body, requestId: null, request_id: null },
      ]
      assert.deepEqual(told(unknown), told(known))
    }
  })

  test(`${name}: a successful sign-in clears four failures`, async () => {
    const { email } = await newAccount()
    for (let round = 0; round < 3; round++) {
      await fail(email, 4)
      assert.equal((await logIn(email)).status, 200)
    }
  })

  test(`${name}: of many concurrent guesses on two nodes, only five learn that they were wrong`, async () => {
    const { email } = await newAccount()
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => logIn(email, wrong, n % 2 ? system : second)),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([count(401), count(429)], [5, 11])
  })

  test(`${name}: a right guess that starts before the fifth failure and finishes after it is refused`, async () => {
    const { email } = await newAccount()
    await fail(email, 1)
    // Four more fail elsewhere; until that is committed, whoever proves to be right has to wait.
    const held = await hold(second, async (tx) => {
      const limit = { name: `${name}.failures`, max: 5, windowSeconds: 900 }
      const now = system.clock.now()
      const span = { from: new Date(now.getTime() - quarterHour), to: now }
      for (let n = 0; n < 4; n++) assert.ok(await addAttempt(tx, limit, email, now, span))
    })
    const right = logIn(email)
    await waitingForLocks(second, 1)
    await held.release()
    assert.equal((await right).status, 429)
    assert.equal((await logIn(email)).status, 429)
  })

  test(`${name}: the limit of five failures counts all nodes together`, async () => {
    const { email } = await newAccount()
    await fail(email, 3)
    await fail(email, 2, second)
    for (const node of [system, second]) assert.equal((await logIn(email, password, node)).status, 429)
  })

  test(`${name}: many concurrent sign-ins with the right password all succeed`, async () => {
    const { email } = await newAccount()
    await fail(email, 4)
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(email)))
    assert.ok(answers.every(({ status }) => status === 200))
  })

  test(`${name}: a wrong current password counts as a failed attempt`, async () => {
    const { api, email } = await newAccount()
    await fail(email, 3)
    for (let n = 0; n < 2; n++) assert.equal((await service.change(api, wrong, 'another one')).status, 401)
    assert.equal((await service.change(api, password, 'another one')).status, 429)
    assert.equal((await logIn(email)).status, 429)
  })

  test(`${name}: a flood of sign-ins from other addresses does not clear failures`, async () => {
    const { email } = await newAccount()
    await fail(email, 5)
    const limit = { name: `${name}.sign-in`, max: 10, windowSeconds: 60 }
    const hit = (n: number) => system.platform.limiter.hit(limit, `2001:db8::${n.toString(16)}`)
    // Many at once, for which a limiter in Redis does not need much longer than for one.
    for (let n = 0; n < 60_000; n += 1_000)
      await Promise.all(Array.from({ length: 1_000 }, (_, each) => hit(n + each)))
    assert.equal((await logIn(email)).status, 429)
  })
}

test('a clock that is set back does not extend the lock of an account, and nodes with slightly different clocks count together', async () => {
  const { register, logIn } = accountsOf.storage
  const { email } = await register(elsewhere(system.storage))
  const { email: other } = await register(elsewhere(system.storage))
  for (let n = 0; n < 5; n++) await logIn(elsewhere(system.storage), email, wrong)
  for (let n = 0; n < 5; n++) await logIn(elsewhere(system.storage), other, wrong)
  advance(-30_000)
  assert.equal((await logIn(elsewhere(system.storage), email)).status, 429)
  advance(-3600_000)
  assert.equal((await logIn(elsewhere(system.storage), email)).status, 200)
  assert.equal((await logIn(elsewhere(system.storage), other, wrong)).status, 401)
  advance(3630_000)
})

test('expired failed attempts are deleted', async () => {
  const count = async () => (await system.sql`select from platform.attempts`).length
  await accountsOf.inventory.logIn(elsewhere(system.inventory), 'nobody@example.com', wrong)
  await deleteOldAttempts(system.platform)
  assert.ok((await count()) > 0)
  advance(quarterHour + 3600_000)
  await deleteOldAttempts(system.platform)
  assert.equal(await count(), 0)
})

test('publishing: the sign-in page and deleting an account count failed attempts together with the API', async () => {
  const { register, logIn } = accountsOf.publishing
  const { email, api } = await register(elsewhere(system.publishing))
  const page = (secret: string) =>
    elsewhere(system.publishing)('POST /sign-in', {
      raw: new URLSearchParams({ email, password: secret }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (let n = 0; n < 3; n++) assert.equal((await page(wrong)).status, 401)
  for (let n = 0; n < 2; n++)
    assert.equal((await api('DELETE /api/users/me', { body: { password: wrong } })).status, 401)
  const refused = await page(password)
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Too many failed attempts/)
  assert.ok(!refused.headers.get('set-cookie'))
  assert.equal((await api('DELETE /api/users/me', { body: { password } })).status, 429)
  assert.equal((await logIn(elsewhere(system.publishing), email)).status, 429)
})

test('with RATE_LIMITS=off failed attempts are not counted', async (t) => {
  const open = await boot({ t })
  for (const name of serviceNames) {
    const service = accountsOf[name]
    const { email } = await service.register(service.client(open))
    for (let n = 0; n < 7; n++)
      assert.equal((await service.logIn(service.client(open), email, wrong)).status, 401)
    assert.equal((await service.logIn(service.client(open), email)).status, 200)
  }
})
