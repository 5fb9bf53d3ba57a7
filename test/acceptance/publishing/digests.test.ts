import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#src/publishing/app.ts'
import { sendDigests } from '#src/publishing/notifications/digests.ts'
import { boot } from '#test/support/boot.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { startSmtp } from '#test/support/smtp.ts'
import { browserOf, form } from './support/forms.ts'

const refused = new Set<string>()
const smtp = await startSmtp((to) => refused.has(to))
cleanUp(smtp.close)
const system = await boot({ env: { SMTP_URL: smtp.url } })
const other = await boot({ env: { SMTP_URL: smtp.url }, database: { url: system.databaseUrl } })
const { publishing, clock } = system

type Writer = Awaited<ReturnType<typeof publisher>>
const hour = 3_600_000
/** What the job does; it is due every ten minutes, which no test waits for. */
const run = ({ platform }: typeof system) => sendDigests(service.context(platform))
const choose = ({ api }: Pick<Writer, 'api'>, notification_mails: unknown) =>
  api('PATCH /api/users/me', { body: { notification_mails } })
const again = async ({ email }: Writer) => {
  const { body } = await publishing('POST /api/auth/login', { body: { email, password } })
  return publishing.bearer(body.data.accessToken)
}
const subscriber = async () => {
  const writer = await publisher(system)
  assert.equal((await choose(writer, 'daily')).body.data.notification_mails, 'daily')
  return { ...writer, post: await writePost(writer, 'Low tide at noon') }
}
const advance = (ms: number) => {
  clock.advance(ms)
  other.clock.advance(ms)
}

test('once a day a mail tells what is unread, and nothing twice', async () => {
  const writer = await subscriber()
  const [ada, fan] = [await publisher(system), await publisher(system)]
  const reply = await writePost(ada, 'A secret of mine', { type: 'reply', parentId: writer.post.id })
  await ada.api(`POST /api/users/${writer.handle}/follow`)
  for (const { api } of [ada, fan]) await api(`POST /api/posts/${writer.post.id}/like`)
  advance(23 * hour)
  await run(system)
  assert.deepEqual(smtp.to(writer.email), [], 'not before a day has passed')
  advance(hour + 60_000)
  await run(system)
  const [mail = '', ...more] = smtp.to(writer.email)
  assert.deepEqual(more, [])
  assert.match(mail, /^Subject: 4 new notifications at Trivet\r$/m)
  for (const words of [
    `@${ada.handle} replied to you: ${reply.url}`,
    `@${ada.handle} follows you: ${publishing.base}/@${ada.handle}`,
    '2 likes of your posts',
  ])
    assert.ok(mail.includes(words), words)
  for (const words of ['secret', ada.user.username, fan.handle]) assert.ok(!mail.includes(words), words)

  advance(25 * hour)
  await run(system)
  assert.equal(smtp.to(writer.email).length, 1, 'still unread, but told already')
  const api = await again(fan)
  await api('POST /api/posts', { body: { content: 'x', type: 'reply', parentId: writer.post.id } })
  await run(system)
  assert.equal(smtp.to(writer.email).length, 1, 'that day is over only tomorrow')
  advance(25 * hour)
  await run(system)
  assert.match(smtp.to(writer.email)[1]!, /^Subject: 1 new notification at Trivet\r$/m)
})

test('what has been read, undone or muted since is not told, and without news there is no mail', async () => {
  const writer = await subscriber()
  const [ada, fan] = [await publisher(system), await publisher(system)]
  await ada.api(`POST /api/posts/${writer.post.id}/like`)
  await ada.api(`DELETE /api/posts/${writer.post.id}/like`)
  await fan.api(`POST /api/users/${writer.handle}/follow`)
  await writer.api(`POST /api/users/${fan.handle}/mute`)
  const read = await publisher(system)
  await read.api(`POST /api/users/${writer.handle}/follow`)
  await writer.api('POST /api/notifications/read', { body: { all: true } })
  advance(25 * hour)
  await run(system)
  assert.deepEqual(smtp.to(writer.email), [])
})

test('many nodes at once send each digest once', async () => {
  const writers = await Promise.all(Array.from({ length: 8 }, subscriber))
  const fan = await publisher(system)
  for (const { handle } of writers) await fan.api(`POST /api/users/${handle}/follow`)
  advance(25 * hour)
  await Promise.all([run(system), run(other), run(system), run(other)])
  for (const { email } of writers) assert.equal(smtp.to(email).length, 1)
})

test('a digest that the mail server refuses is sent an hour later, and does not keep others waiting', async () => {
  const [unlucky, lucky] = [await subscriber(), await subscriber()]
  const fan = await publisher(system)
  for (const { handle } of [unlucky, lucky]) await fan.api(`POST /api/users/${handle}/follow`)
  refused.add(unlucky.email)
  advance(25 * hour)
  await run(system)
  refused.clear()
  await run(system)
  assert.deepEqual([smtp.to(unlucky.email).length, smtp.to(lucky.email).length], [0, 1])
  advance(hour + 60_000)
  await run(system)
  assert.deepEqual([smtp.to(unlucky.email).length, smtp.to(lucky.email).length], [1, 1])
})

test('one click in the mail program, or a button on a page, ends the mails', async () => {
  for (const how of ['program', 'multipart', 'page']) {
    const writer = await subscriber()
    const fan = await publisher(system)
    await fan.api(`POST /api/users/${writer.handle}/follow`)
    advance(25 * hour)
    await run(system)
    const [mail = ''] = smtp.to(writer.email)
    assert.match(mail, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const link = /^List-Unsubscribe:\s+<([^>]+)>\r$/m.exec(mail)![1]!
    assert.ok(mail.split('\r\n\r\n').slice(1).join().includes(link), 'people can open it, too')
    const wanted = async () => (await (await again(writer))('GET /api/users/me')).body.data.notification_mails
    const page = await fetch(link)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(await wanted(), 'daily', 'looking changes nothing')

    const path = link.slice(publishing.base.length)
    const bent = path.replace(/token=\d+/, (token) => `${token}1`)
    assert.equal((await publishing(`POST ${bent}`, form({}))).status, 422)
    for (const bad of ['/unsubscribe', '/unsubscribe?token=x', '/unsubscribe?token=1.']) {
      assert.equal((await publishing(`POST ${bad}`, form({}))).status, 422, bad)
    }
    if (how === 'page') {
      const action = /action="([^"]+)"/.exec((await page.text()).split('<main')[1]!)![1]!
      const elsewhere = form({}, { origin: 'https://evil.example' })
      assert.equal((await publishing(`POST ${action}`, elsewhere)).status, 403)
      assert.equal((await publishing(`POST ${action}`, form({}))).status, 200)
    } else {
      const body = new FormData()
      body.set('List-Unsubscribe', 'One-Click')
      const sent = how === 'multipart' ? body : new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      assert.equal((await fetch(link, { method: 'POST', body: sent })).status, 200)
    }
    assert.equal(await wanted(), 'none')
  }
})

test('the setting has two values, is chosen on the page too, and says where there is no mail server', async () => {
  const writer = await publisher(system)
  for (const value of ['weekly', '', 1, null]) assert.equal((await choose(writer, value)).status, 422)
  assert.equal((await writer.api('GET /api/users/me')).body.data.notification_mails, 'none')
  assert.ok(!('notification_mails' in (await publishing(`GET /api/users/${writer.handle}`)).body.data))
  const { browser, send } = await browserOf(publishing, writer.email)
  await send('/settings/account', { language: '', notification_mails: 'daily' })
  assert.match((await browser('GET /settings/account')).text, /<option value="daily" selected>/)

  const bare = await boot()
  const nobody = await publisher(bare)
  const answer = await choose(nobody, 'daily')
  assert.equal(answer.status, 422)
  assert.match(answer.body.message, /this server sends no mail/)
  assert.equal((await choose(nobody, 'none')).status, 200)
  const reader = await browserOf(bare.publishing, nobody.email)
  assert.match((await reader.browser('GET /settings/account')).text, /This server sends no mail/)
})
