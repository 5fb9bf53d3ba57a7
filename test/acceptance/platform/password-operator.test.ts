import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password } from '#test/support/factories.ts'
import { mails } from '#test/support/mail.ts'
import { operatorOf } from '#test/support/operator.ts'
import { accountsOf, serviceNames } from '#test/support/services.ts'

const system = await boot()
const operator = operatorOf(system)
const newPassword = 'a brand new one'

for (const name of serviceNames)
  test(`the password reset command prints a link that sets a new ${name} password once`, async () => {
    const service = accountsOf[name]
    const anyone = service.client(system)
    const { email, api } = await service.register(anyone)
    const command = [name, 'password', 'reset']

    for (const address of ['nobody@example.com', 'nobody']) {
      const unknown = await operator(...command, '--email', address)
      assert.notEqual(unknown.code, 0)
      assert.match(unknown.text, new RegExp(`No account has the address ${address}`))
    }
    assert.notEqual((await operator(...command)).code, 0, 'without an address')
    assert.equal(await service.visit(api), 200, 'nothing has changed')

    const first = await operator(...command, '--email', email)
    const { code, text } = await operator(...command, '--email', email.toUpperCase())
    assert.equal(code, 0, text)
    const tokenOf = (link: string) => /^http:\/\/localhost:400[123]\/\S+[#?]token=(\S{43})\n$/.exec(link)?.[1]
    const token = tokenOf(text)
    assert.ok(token, text)
    assert.equal((await service.reset(anyone, tokenOf(first.text), newPassword)).status, service.invalid)
    assert.equal((await service.reset(anyone, token, newPassword)).status, 200)
    assert.equal((await service.reset(anyone, token, password)).status, service.invalid)
    assert.equal(await service.visit(api), 401)
    assert.equal((await service.logIn(anyone, email, newPassword)).status, 200)
    assert.deepEqual(await mails(system), [], 'no mail goes out')
  })
