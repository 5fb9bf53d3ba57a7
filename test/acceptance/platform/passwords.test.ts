import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher } from '#test/support/factories.ts'
import { mails, mailsTo, tokenIn } from '#test/support/mail.ts'
import { accountsOf, elsewhere, serviceNames } from '#test/support/services.ts'

const system = await boot()
const limited = await boot({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
const newPassword = 'a brand new one'
const hour = 3600_000

for (const name of serviceNames) {
  const service = accountsOf[name]
  const anyone = service.client(system)
  const newAccount = () => service.register(anyone)
  const newToken = async (email: string) => {
    const before = (await mails(system)).filter((text) => text.includes(`To: ${email}`)).length
    assert.equal((await service.forgot(anyone, email)).status, 200)
    return tokenIn((await mailsTo(system, email, before + 1)).at(-1))
  }
  const reset = (token: unknown, to: unknown = newPassword, revoke?: unknown) =>
    service.reset(anyone, token, to, revoke)
  const statusOfLogin = async (email: string, secret: string) =>
    (await service.logIn(anyone, email, secret)).status

  test(`${name}: a reset link works once, and ends every session but no API key`, async () => {
    const { api, email } = await newAccount()
    const key = await service.makeKey(api)
    const [known, unknown] = [
      await service.forgot(anyone, email.toUpperCase()),
      await service.forgot(anyone, 'nobody@example.com'),
    ]
    const told = ({ status, body }: typeof known) => [status, { ...body, requestId: null, request_id: null }]
    assert.equal(known.status, 200)
    assert.deepEqual(told(unknown), told(known))
    const [mail = ''] = await mailsTo(system, email)
    assert.ok(mail.includes(service.client(system).base), 'the link leads to the service')
    const token = tokenIn(mail)
    assert.equal((await reset(token)).status, 200)
    assert.equal(await service.visit(api), 401)
    assert.equal(await statusOfLogin(email, password), 401)
    assert.equal(await statusOfLogin(email, newPassword), 200)
    assert.equal((await reset(token, 'yet another one')).status, service.invalid)
    assert.equal(await service.useKey(anyone, key), 200)
    assert.ok(!(await mails(system)).some((text) => text.includes('nobody@example.com')))
  })

  test(`${name}: a reset token works for one hour, and only the newest one works`, async () => {
    const { email } = await newAccount()
    const first = await newToken(email)
    const second = await newToken(email)
    assert.equal((await reset(first)).status, service.invalid)
    system.clock.advance(hour - 5_000)
    assert.equal((await reset(second)).status, 200)
    const third = await newToken(email)
    system.clock.advance(hour)
    assert.equal((await reset(third, 'too late for it')).status, service.invalid)
    assert.equal(await statusOfLogin(email, newPassword), 200)
  })

  test(`${name}: of concurrent uses of one reset token, one succeeds`, async () => {
    const { email } = await newAccount()
    const token = await newToken(email)
    const answers = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => ({ n, ...(await reset(token, `password ${n}`)) })),
    )
    const winners = answers.filter(({ status }) => status === 200)
    assert.equal(winners.length, 1)
    assert.equal(await statusOfLogin(email, `password ${winners[0]!.n}`), 200)
  })

  test(`${name}: changing the password ends other sessions and reset links, and returns a new token for this one`, async () => {
    const { api, email } = await newAccount()
    const other = anyone.bearer(service.tokenOf((await service.logIn(anyone, email)).body))
    const key = await service.makeKey(api)
    const token = await newToken(email)
    assert.equal((await service.change(anyone, password, newPassword)).status, 401)
    assert.equal((await service.change(api, 'wrong horse', newPassword)).status, 401)
    assert.equal(await service.visit(other), 200, 'a wrong password changes nothing')
    const changed = await service.change(api, password, newPassword)
    assert.equal(changed.status, 200)
    assert.deepEqual([await service.visit(api), await service.visit(other)], [401, 401])
    if (name !== 'storage')
      assert.equal(await service.visit(anyone.bearer(service.tokenOf(changed.body))), 200)
    assert.deepEqual(
      [await statusOfLogin(email, password), await statusOfLogin(email, newPassword)],
      [401, 200],
    )
    assert.equal((await reset(token, 'yet another one')).status, service.invalid)
    assert.equal(await service.useKey(anyone, key), 200)
  })

  test(`${name}: of two concurrent password changes, one succeeds`, async () => {
    const { api, email } = await newAccount()
    const answers = await Promise.all(
      ['first choice', 'other choice'].map((to) => service.change(api, password, to)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    const logins = await Promise.all(['first choice', 'other choice'].map((to) => statusOfLogin(email, to)))
    assert.deepEqual(
      logins,
      answers.map(({ status }) => status),
    )
  })

  test(`${name}: a password change or reset with revokeKeys ends the API keys of that user only`, async () => {
    const { api, email } = await newAccount()
    const key = await service.makeKey(api)
    const foreign = await service.makeKey((await newAccount()).api)
    assert.equal((await service.change(api, password, newPassword, false)).status, 200)
    assert.equal(await service.useKey(anyone, key), 200)
    const again = anyone.bearer(service.tokenOf((await service.logIn(anyone, email, newPassword)).body))
    assert.equal((await service.change(again, newPassword, password, true)).status, 200)
    assert.equal(await service.useKey(anyone, key), 401)
    const third = anyone.bearer(service.tokenOf((await service.logIn(anyone, email)).body))
    const late = await service.makeKey(third)
    assert.equal(await service.useKey(anyone, late), 200)
    assert.equal((await reset(await newToken(email), newPassword, true)).status, 200)
    assert.equal(await service.useKey(anyone, late), 401)
    assert.equal(await service.useKey(anyone, foreign), 200)
  })

  test(`${name}: invalid input to a reset or change names the field and changes nothing`, async () => {
    const { api, email } = await newAccount()
    const token = await newToken(email)
    for (const address of [undefined, 'nobody', 7, 'a@b.c\0'])
      assert.equal((await service.forgot(anyone, address)).status, service.invalid)
    for (const bad of [undefined, '', 7, 'x'.repeat(300), 'unknown', 'a\0b'])
      assert.equal((await reset(bad)).status, service.invalid, String(bad))
    for (const bad of [null, '1234567', 'x'.repeat(129), 12345678, 'a\0bcdefgh']) {
      assert.equal((await reset(token, bad)).status, service.invalid, String(bad))
      assert.equal((await service.change(api, password, bad)).status, service.invalid, String(bad))
    }
    for (const bad of [undefined, 7, 'x'.repeat(129)])
      assert.equal((await service.change(api, bad, newPassword)).status, service.invalid, String(bad))
    assert.equal((await reset(token, newPassword, 'please')).status, service.invalid)
    assert.equal((await service.change(api, password, newPassword, 1)).status, service.invalid)
    assert.equal(await service.visit(api), 200)
    assert.equal((await reset(token, '12345678')).status, 200, 'the shortest')
    assert.equal((await reset(await newToken(email), 'x'.repeat(128))).status, 200, 'the longest')
  })

  test(`${name}: an account gets at most three reset mails an hour, and the response is always the same`, async () => {
    const client = service.client(limited)
    const { email } = await service.register(elsewhere(client))
    const { email: other } = await service.register(elsewhere(client))
    const ask = async (count: number, address = email) => {
      const asked = Array.from({ length: count }, () => service.forgot(elsewhere(client), address))
      const texts = (await Promise.all(asked)).map(({ status, body }) => {
        assert.equal(status, 200)
        return JSON.stringify({ ...body, requestId: null, request_id: null })
      })
      assert.equal(new Set(texts).size, 1)
    }
    const sent = async () => (await mails(limited)).filter((text) => text.includes(`To: ${email}`)).length
    await ask(2)
    await ask(8, email.toUpperCase())
    // Whatever was queued for this account was queued before: once the other has its mail, all is sent.
    await ask(1, other)
    await mailsTo(limited, other)
    await mailsTo(limited, email, 3)
    assert.equal(await sent(), 3)
    const newest = tokenIn((await mailsTo(limited, email, 3)).at(-1))
    limited.clock.advance(hour - 1000)
    await ask(1)
    limited.clock.advance(1000)
    assert.equal(await sent(), 3)
    assert.equal(
      (await service.reset(elsewhere(client), newest, newPassword)).status,
      service.invalid,
      'too old',
    )
    await ask(1)
    await mailsTo(limited, email, 4)
  })

  test(`${name}: a password reset clears five failed attempts`, async () => {
    const client = service.client(limited)
    const { email } = await service.register(elsewhere(client))
    for (let n = 0; n < 5; n++) await service.logIn(elsewhere(client), email, 'wrong horse')
    assert.equal((await service.logIn(elsewhere(client), email)).status, 429)
    await service.forgot(elsewhere(client), email)
    const token = tokenIn((await mailsTo(limited, email))[0])
    assert.equal((await service.reset(elsewhere(client), token, newPassword)).status, 200)
    assert.equal((await service.logIn(elsewhere(client), email, newPassword)).status, 200)
  })

  test(`${name}: forgot-password and reset-password share the limit of ten a minute per address with sign-in`, async () => {
    const api = elsewhere(service.client(limited))
    for (let n = 0; n < 5; n++) {
      assert.equal((await service.forgot(api, 'nobody@example.com')).status, 200)
      assert.equal((await service.reset(api, 'unknown', newPassword)).status, service.invalid)
    }
    assert.equal((await service.forgot(api, 'nobody@example.com')).status, 429)
    assert.equal((await service.reset(api, 'unknown', newPassword)).status, 429)
  })
}

test('publishing: a new password ends refresh tokens and browser sessions', async () => {
  const { publishing } = system
  const { email, refreshToken, api } = await publisher(system)
  const refresh = (token: string) => publishing('POST /api/auth/refresh', { body: { refreshToken: token } })
  const changed = await accountsOf.publishing.change(api, password, newPassword)
  assert.equal(changed.body.data.expiresIn, 900)
  assert.equal((await refresh(refreshToken)).status, 401)
  const next = await refresh(changed.body.data.refreshToken)
  assert.equal(next.status, 200)
  await accountsOf.publishing.forgot(publishing, email)
  const token = tokenIn((await mailsTo(system, email))[0])
  assert.equal((await accountsOf.publishing.reset(publishing, token, password)).status, 200)
  assert.equal((await refresh(next.body.data.refreshToken)).status, 401)
})

test('publishing: a suspended user can reset the password but cannot sign in before the suspension ends', async () => {
  const { publishing } = system
  const service = accountsOf.publishing
  const { email, api, user } = await publisher(system)
  await system.sql`update publishing.users set is_suspended = true where id = ${user.id}`
  await service.forgot(publishing, email)
  const token = tokenIn((await mailsTo(system, email))[0])
  assert.equal((await service.reset(publishing, token, newPassword)).status, 200)
  assert.equal((await service.logIn(publishing, email, password)).status, 401)
  assert.equal((await service.logIn(publishing, email, newPassword)).status, 403)
  assert.ok([401, 403].includes((await service.change(api, newPassword, password)).status))
  await system.sql`update publishing.users set is_suspended = false where id = ${user.id}`
  assert.equal((await service.logIn(publishing, email, newPassword)).status, 200)
})

test('publishing: the reset link of an account that has been deleted does nothing', async () => {
  const { publishing } = system
  const { email, api } = await publisher(system)
  await accountsOf.publishing.forgot(publishing, email)
  const token = tokenIn((await mailsTo(system, email))[0])
  assert.equal((await api('DELETE /api/users/me', { body: { password } })).status, 200)
  assert.equal((await accountsOf.publishing.reset(publishing, token, newPassword)).status, 422)
})

test('inventory: a banned user can reset the password but cannot sign in before the ban ends', async () => {
  const { inventory } = system
  const service = accountsOf.inventory
  const { api } = await inventoryAdmin(system)
  const email = `banned-${process.pid}@example.com`
  const body = { name: 'Tom', email, password, role: 'Staff' }
  const { id } = (await api('POST /api/users', { body })).body
  const tom = inventory.bearer((await service.logIn(inventory, email)).body.token)
  const setBan = (is_banned: boolean) => api(`PATCH /api/users/${id}`, { body: { is_banned } })
  await setBan(true)
  assert.equal((await service.change(tom, password, newPassword)).status, 403)
  await service.forgot(inventory, email)
  const token = tokenIn((await mailsTo(system, email))[0])
  assert.equal((await service.reset(inventory, token, newPassword)).status, 200)
  assert.equal((await service.logIn(inventory, email, newPassword)).status, 403)
  await setBan(false)
  assert.equal((await service.logIn(inventory, email, newPassword)).status, 200)
})

test('a reset token of one service is not valid for another', async () => {
  const { email } = await publisher(system)
  await inventoryAdmin(system, { email })
  await accountsOf.publishing.forgot(system.publishing, email)
  const token = tokenIn((await mailsTo(system, email))[0])
  assert.equal((await accountsOf.inventory.reset(system.inventory, token, newPassword)).status, 400)
  assert.equal((await accountsOf.storage.reset(system.storage, token, newPassword)).status, 400)
  assert.equal((await accountsOf.publishing.reset(system.publishing, token, newPassword)).status, 200)
})
