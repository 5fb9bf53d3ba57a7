import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { eventsAfter, lastId } from './support/events.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const ctx = service.context(system.platform)

test('a webhook receives what its account may read, signed, and nothing of its own or from strangers', async (t) => {
  const [ada, ben, eve] = [await publisher(system), await publisher(system), await publisher(system)]
  const receiver = await startReceiver(t)
  const { status, body, headers } = await ada.api('POST /api/webhooks', { body: { url: receiver.url } })
  assert.equal(status, 201)
  const { secret, id } = body.data
  assert.equal(headers.get('location'), `/api/webhooks/${id}`)
  await ada.api(`POST /api/users/${ben.handle}/follow`)
  const start = await lastId(ada)
  await writePost(eve, 'a stranger')
  const own = await writePost(ada, 'mine')
  await ben.api(`POST /api/posts/${own.id}/like`)
  await writePost(ben, 'hello')
  const messages = await receiver.until(2)
  const events = await eventsAfter(ada, start)
  assert.deepEqual(
    messages.map((message) => message.body).sort((a, b) => (a.id < b.id ? -1 : 1)),
    events,
  )
  assert.ok(new Webhook(secret).verify(messages[0]!.text, messages[0]!.headers))

  await ada.api(`POST /api/users/${ben.handle}/mute`)
  await writePost(ben, 'unheard')
  await ben.api(`DELETE /api/posts/${own.id}/like`)
  await eve.api(`POST /api/users/${ada.handle}/follow`)
  assert.equal((await receiver.until(3)).at(-1)!.body.type, 'user.followed')
  await ada.api(`DELETE /api/users/${ben.handle}/mute`)
  await writePost(ben, 'heard')
  assert.equal((await receiver.until(4)).at(-1)!.body.data.content, 'heard')
  const { data, meta } = await eventually(async () => {
    const listed = (await ada.api(`GET /api/webhooks/${id}/deliveries?status=succeeded&limit=2`)).body
    assert.equal(listed.meta.total, 4)
    return listed
  })
  assert.deepEqual([data.deliveries.length, meta.totalPages], [2, 2])
  assert.deepEqual((await ada.api(`GET /api/webhooks/${id}/deliveries?status=dead`)).body.data.deliveries, [])
})

test('what may not be seen any more when it is delivered is not sent', async (t) => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  await ada.api(`POST /api/users/${ben.handle}/follow`)
  const { id } = (await ada.api('POST /api/webhooks', { body: { url: receiver.url } })).body.data
  const post = await writePost(ben, 'soon gone')
  await receiver.until(1)
  receiver.respond((res) => res.writeHead(204).end())
  await ben.api(`DELETE /api/posts/${post.id}`)
  const pending = await eventually(async () => {
    const { deliveries } = (await ada.api(`GET /api/webhooks/${id}/deliveries`)).body.data
    assert.equal(deliveries.length, 2)
    return deliveries.find((one: { attempts: number }) => one.attempts > 0)
  })
  await ada.api(`POST /api/webhooks/${id}/deliveries/${pending.id}/retry`)
  const last = (await receiver.until(2)).at(-1)!
  assert.equal(last.body.type, 'post.deleted')
})

test('an account has at most 20 webhooks, and manages only its own, with a token', async () => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  const body = { url: 'http://127.0.0.1:4999/hook', types: ['post.*'] }
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await ada.api('POST /api/webhooks', { body })).body.data.id)
  const refused = await ada.api('POST /api/webhooks', { body })
  assert.deepEqual([refused.status, refused.body.code], [422, 'too_many_webhooks'])
  assert.equal((await ben.api('POST /api/webhooks', { body })).status, 201)
  for (const route of ['GET', 'DELETE']) {
    const { status } = await ben.api(`${route} /api/webhooks/${ids[0]}`)
    assert.equal(status, 404, route)
  }
  const listed = (await ada.api('GET /api/webhooks')).body.data.webhooks
  assert.equal(listed.length, 20)
  assert.deepEqual((await ada.api(`GET /api/webhooks/${ids[0]}`)).body.data, listed[0])
  assert.deepEqual((await ada.api(`DELETE /api/webhooks/${ids[0]}`)).body.data, { id: ids[0], deleted: true })
  for (const [wrong, field] of [
    [{ url: 'ftp://example.com' }, 'url'],
    [{ ...body, types: ['order.created'] }, 'types'],
  ] as const) {
    const { status, body: answer } = await ada.api('POST /api/webhooks', { body: wrong })
    assert.deepEqual([status, answer.errors[0].field], [422, field])
  }
})

test('nothing is sent to the webhooks of a suspended account', async (t) => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  const { id } = (await ada.api('POST /api/webhooks', { body: { url: receiver.url } })).body.data
  await ben.api(`POST /api/users/${ada.handle}/follow`)
  await eventually(async () => {
    const [one] = (await ada.api(`GET /api/webhooks/${id}/deliveries`)).body.data.deliveries
    assert.equal(one.attempts, 1)
  })
  await setFlags(ctx, ada.handle, { is_suspended: true })
  // Who manages a webhook is known for up to a second.
  await sleep(1_100)
  system.clock.advance(10_000)
  await eventually(async () => {
    const [one] = await system.sql<{ status: string }[]>`
      select status from platform.deliveries where webhook_id = ${id} and type = 'user.followed'`
    assert.equal(one!.status, 'dead')
  })
  assert.equal(receiver.received.length, 1)
})
