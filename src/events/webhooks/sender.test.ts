import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { readConfig } from '#platform/config.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { createSender } from './sender.ts'
import { newSecret } from './signature.ts'
import { createTargets } from './target.ts'

const message = (url: string, secret = newSecret()) => ({
  url,
  secrets: [secret],
  id: 'evt_01a1e039-6806-7000-ad0f-f002d2322e3d',
  body: '{"a":"é"}',
  now: new Date(),
})

test('a message goes to the address that was checked, with the name in its Host header', async (t) => {
  const receiver = await startReceiver(t)
  const { port } = new URL(receiver.url)
  const lookups: string[] = []
  const targets = createTargets(readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }, '/'), async (name) => {
    lookups.push(name)
    return ['127.0.0.1']
  })
  const sender = createSender(targets)
  t.after(sender.close)
  const secret = newSecret()
  for (let n = 1; n <= 2; n++) {
    const attempt = await sender.send(message(`http://hooks.example.com:${port}/in?x=1`, secret))
    assert.deepEqual([attempt.response_status, attempt.error], [204, null])
    assert.equal(lookups.length, n, 'the name is resolved for each attempt')
  }
  const { headers, text } = receiver.received[0]!
  assert.equal(headers.host, `hooks.example.com:${port}`)
  assert.equal(text, '{"a":"é"}')
  assert.ok(new Webhook(secret).verify(text, headers))
})

test('a name that comes to resolve to a private address is not connected to', async (t) => {
  const receiver = await startReceiver(t)
  const { port } = new URL(receiver.url)
  const targets = createTargets(readConfig({}, '/'), async () => ['127.0.0.1'])
  const sender = createSender(targets)
  t.after(sender.close)
  const { error, response_status } = await sender.send(message(`https://rebound.example.com:${port}/`))
  assert.equal(response_status, null)
  assert.match(error!, /resolves to 127\.0\.0\.1, which is a private address/)
  assert.equal(receiver.received.length, 0)
})

test('a name with an address that cannot be reached is reached at its next one', async (t) => {
  const receiver = await startReceiver(t)
  const { port } = new URL(receiver.url)
  const lax = readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }, '/')
  const sender = createSender(createTargets(lax, async () => ['127.0.0.9', '127.0.0.1']))
  t.after(sender.close)
  const { response_status } = await sender.send(message(`http://hooks.example.com:${port}/`))
  assert.deepEqual([response_status, receiver.received.length], [204, 1])
})

test('many messages to one receiver that hangs do not delay others to the same address', async (t) => {
  const receiver = await startReceiver(t)
  receiver.respond((res, _, { url }) => {
    if (url === '/well') res.writeHead(204).end()
  })
  const sender = createSender(createTargets(readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }, '/')))
  t.after(sender.close)
  const hanging = Array.from({ length: 20 }, () => sender.send(message(new URL('/hangs', receiver.url).href)))
  await receiver.until(20)
  const { response_status } = await sender.send(message(new URL('/well', receiver.url).href))
  assert.equal(response_status, 204)
  sender.close()
  await Promise.all(hanging)
})

test('failures are told in words: refused, unknown name, closed without a response', async (t) => {
  const receiver = await startReceiver(t)
  const lax = readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }, '/')
  const sender = createSender(createTargets(lax))
  t.after(sender.close)
  receiver.respond((res) => res.destroy())
  const closed = await sender.send(message(receiver.url))
  assert.equal(closed.error, 'The connection was closed before a response came')
  const unknown = createSender(
    createTargets(lax, async () => {
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    }),
  )
  assert.equal((await unknown.send(message('http://nowhere.example.com/'))).error, 'The name does not exist')
})
