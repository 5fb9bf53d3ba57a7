import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin } from '#test/support/factories.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

/** `trivet receive` as a process of its own. */
const receive = async (t: TestContext, ...options: string[]) => {
  const child = spawn(process.execPath, ['src/main.ts', 'receive', '--port', '0', ...options])
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  const address = /http:\/\/localhost:\d+\//
  await until('it receives', () => address.test(printed))
  const stop = async () => {
    child.kill('SIGINT')
    return (await once(child, 'exit'))[0]
  }
  return { url: address.exec(printed)![0], printed: () => printed, stop }
}

test('trivet receive prints the events that a webhook sends to this machine', async (t) => {
  const { api } = await inventoryAdmin(system)
  const first = await receive(t)
  const { id, secret } = (await api('POST /api/webhooks', { body: { url: first.url } })).body
  await api('POST /api/products', { body: { name: 'Mug', sku: 'MUG', base_price: '9.50' } })
  await until('the event is printed', () => /Z product\.created product\/\d+\n/.test(first.printed()))
  assert.equal(await first.stop(), 0)

  const verifying = await receive(t, '--secret', secret, '--json')
  await api(`PATCH /api/webhooks/${id}`, { body: { url: verifying.url } })
  const tested = await api(`POST /api/webhooks/${id}/test`)
  assert.equal(tested.body.response_status, 204)
  assert.match(verifying.printed(), /"type":"webhook\.test"/)
})

test('trivet receive refuses what was not signed with the secret, or long ago', async (t) => {
  const { api } = await inventoryAdmin(system)
  const { url, printed } = await receive(t, '--secret', `whsec_${Buffer.alloc(32).toString('base64')}`)
  const { id } = (await api('POST /api/webhooks', { body: { url } })).body
  assert.equal((await api(`POST /api/webhooks/${id}/test`)).body.response_status, 401)
  const unsigned = await fetch(url, { method: 'POST', body: '{}' })
  assert.equal(unsigned.status, 401)
  assert.match(printed(), /Refused a message with a wrong signature/)
})

test('trivet receive prints nothing that controls the terminal', async (t) => {
  const { url, printed } = await receive(t)
  const { url: rawUrl, printed: printedRaw } = await receive(t, '--json')
  const hostile = {
    created_at: 'now',
    type: '\x1b]0;title\x07',
    subject: 'order/1\nnow order.created order/2',
  }
  await fetch(url, { method: 'POST', body: JSON.stringify(hostile) })
  await fetch(rawUrl, { method: 'POST', body: '{"type":"\x1b[2J\x9b31m"}' })
  await until('both are printed', () => /order\/2\n/.test(printed()) && /31m/.test(printedRaw()))
  assert.doesNotMatch(printed() + printedRaw(), /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  assert.equal(printed().split('\n').length, 3, 'one line for each event')
})
