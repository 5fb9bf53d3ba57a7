import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMailer } from '#platform/mail.ts'
import { startSmtp } from '#test/support/smtp.ts'

const from = () => ({ name: 'Trivet', address: 'no-reply@example.com' })
const logged: unknown[] = []
const log = { info: (fields: unknown) => void logged.push(fields) }
const mail = { to: 'ann@example.com', subject: 'Reset your password', text: 'Follow the link.\n' }
const injections = {
  subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody',
  addresses: [
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com\nBcc: eve@example.com',
    'ann@example.com, eve@example.com',
    'ann@example.com>\r\nRCPT TO:<eve@example.com',
    'Ann <ann@example.com>',
    '"ann@example.com"@example.com',
    'ann@example.com\0',
    'ann',
    '',
  ],
}

const outbox = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const outboxDir = join(folder, 'data', 'outbox')
  const mailer = createMailer({ outboxDir, from, log })
  t.after(() => mailer.close())
  const names = async () => (await readdir(outboxDir)).sort()
  const read = (name: string) => readFile(join(outboxDir, name), 'utf8')
  return { outboxDir, mailer, names, read }
}

const smtpServer = async (t: TestContext) => {
  const { url: smtpUrl, received, close } = await startSmtp()
  const mailer = createMailer({ smtpUrl, outboxDir: '/nowhere', from, log })
  t.after(async () => {
    await mailer.close()
    await close()
  })
  return { mailer, received }
}

const headersOf = (message: string) => message.slice(0, message.indexOf('\r\n\r\n')).toLowerCase()

test('without a mail server, a mail is written as a complete message to a file that only the owner can read', async (t) => {
  const { outboxDir, mailer, names, read } = await outbox(t)
  await mailer.send({ ...mail, subject: 'Grüße', html: '<p>Follow the link.</p>' })
  const [name, ...others] = await names()
  assert.deepEqual(others, [])
  assert.match(name!, /^\d{8}T\d{9}Z-[0-9A-Za-z]{8}\.eml$/)
  assert.equal((await stat(outboxDir)).mode & 0o777, 0o700)
  assert.equal((await stat(join(outboxDir, name!))).mode & 0o777, 0o600)

  assert.deepEqual(logged.at(-1), { file: join(outboxDir, name!) }, 'the operator finds it')

  const message = await read(name!)
  assert.doesNotMatch(message, /[^\r]\n/, 'every line ends with CR LF')
  for (const header of [
    /^from: trivet <no-reply@example.com>\r$/m,
    /^to: ann@example.com\r$/m,
    /^subject: =\?utf-8\?/m,
    /^date: /m,
    /^message-id: <[^>]+@example.com>\r$/m,
    /^mime-version: 1.0\r$/m,
    /^content-type: multipart\/alternative;/m,
  ])
    assert.match(headersOf(message), header)
  assert.match(message, /Follow the link\.\r\n/)
  assert.match(message, /<p>Follow the link\.<\/p>/)
})

test('concurrent mails to the outbox are all written, and their files sort by time', async (t) => {
  const { mailer, names, read } = await outbox(t)
  await mailer.send({ ...mail, subject: 'the first' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  await Promise.all(Array.from({ length: 20 }, () => mailer.send(mail)))
  const all = await names()
  assert.equal(all.length, 21)
  assert.match(await read(all[0]!), /^Subject: the first\r$/m)
})

test('a line break in the subject of a mail does not start a header', async (t) => {
  const { mailer, names, read } = await outbox(t)
  await mailer.send({ ...mail, subject: injections.subject })
  const message = await read((await names())[0]!)
  assert.doesNotMatch(headersOf(message), /^bcc:/m)
  assert.match(message, /^Subject: Hello Bcc: eve@example.com body\r$/m)
})

test('a mail to anything but one plain address is refused and not written', async (t) => {
  const { outboxDir, mailer } = await outbox(t)
  for (const to of injections.addresses)
    await assert.rejects(mailer.send({ ...mail, to }), /not a single plain address/, to)
  await assert.rejects(readdir(outboxDir), { code: 'ENOENT' })
})

test('with a mail server, mails are delivered to it', async (t) => {
  const { mailer, received } = await smtpServer(t)
  await Promise.all(['ann@example.com', 'bob@example.com'].map((to) => mailer.send({ ...mail, to })))
  assert.deepEqual(received.map(({ to }) => to.join()).sort(), ['ann@example.com', 'bob@example.com'])
  assert.equal(received[0]!.from, 'no-reply@example.com')
  assert.match(received[0]!.content, /^Subject: Reset your password\r$/m)
  assert.match(received[0]!.content, /Follow the link\./)
})

test('with a mail server, a mail to anything but one plain address is refused', async (t) => {
  const { mailer, received } = await smtpServer(t)
  for (const to of injections.addresses)
    await assert.rejects(mailer.send({ ...mail, to }), /not a single plain address/, to)
  await mailer.send({ ...mail, subject: injections.subject })
  assert.deepEqual(
    received.map(({ to }) => to),
    [['ann@example.com']],
  )
  assert.doesNotMatch(headersOf(received[0]!.content), /^bcc:/m)
})

test('an unreachable mail server is an error for the caller', async (t) => {
  const unused = createServer().listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port } = unused.address() as AddressInfo
  unused.close()
  await once(unused, 'close')
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outboxDir: '/nowhere', from, log })
  t.after(() => mailer.close())
  await assert.rejects(mailer.send(mail), { code: /ECONNECTION|ESOCKET|ECONNREFUSED/ })
})
