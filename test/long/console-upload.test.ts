import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { signIn, startConsole } from '#test/consoles/support/console.ts'
import { cableTo } from '#test/sdk/cable.ts'
import { openPage } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const mebibyte = 2 ** 20
const partSize = 8 * mebibyte
/** `UPLOAD_MIB=1024` for the largest upload that a server takes by default. */
const size = Number(process.env.UPLOAD_MIB ?? 64) * mebibyte

/** A file whose every MiB is different, and its MD5. */
const makeFile = async (path: string) => {
  const file = await open(path, 'w')
  const hash = createHash('md5')
  const block = Buffer.alloc(mebibyte, 'trivet ')
  for (let at = 0; at < size; at += mebibyte) {
    block.writeUInt32LE(at / mebibyte)
    hash.update(block)
    await file.write(block)
  }
  await file.close()
  return hash.digest('hex')
}

test('a large upload in the console goes on after the connection was lost and after its tab was closed', async (t) => {
  const service = await startConsole()
  const owner = await storageOwner(service.system)
  const folder = await mkdtemp(join(tmpdir(), 'trivet-upload-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'large.bin')
  const md5 = await makeFile(path)
  const cable = await cableTo(t, service.root)
  const address = (path = '') => `${cable.url}/console${path}`
  const { page } = await openPage(service.browser)
  // The machine is busy with hashing.
  page.context().setDefaultTimeout(60_000)
  await page.goto(address())
  await signIn(page, owner.email)
  const id = await createBucket(owner.api, 'large')
  await page.goto(address(`/buckets/${id}`))

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ])
  cable.pullAfter(size * 0.3)
  await chooser.setFiles(path)
  const waiting = page.getByRole('region', { name: 'Uploads' }).getByText('Waiting for the connection')
  await waiting.waitFor({ timeout: 300_000 })
  const sentBefore = cable.sent
  cable.plugIn()
  const returned = performance.now()
  await eventually(() => assert.ok(cable.sent > sentBefore + mebibyte), { withinMs: 10_000 })
  const resumedMs = performance.now() - returned
  assert.ok(resumedMs < 5_000, `it went on after ${Math.round(resumedMs)} ms`)

  // More than the four parts that are sent at once, so that some of them are stored.
  cable.pullAfter(size * 0.1 + 4 * partSize)
  await waiting.waitFor({ timeout: 300_000 })
  const tab = await page.context().newPage()
  await page.close()
  cable.plugIn()
  await tab.goto(address(`/buckets/${id}`))
  const [{ uploadId }] = (await owner.api('GET /uploads')).body
  const { parts } = (await owner.api(`GET /buckets/${id}/multipart/${uploadId}/parts`)).body
  const stored = (parts as { sizeBytes: number }[]).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sentUntilClosed = cable.sent
  const [again] = await Promise.all([
    tab.waitForEvent('filechooser'),
    tab.getByRole('button', { name: 'Choose file', exact: true }).click(),
  ])
  await again.setFiles(path)
  await tab
    .getByRole('region', { name: 'Uploads' })
    .getByText('1 file uploaded')
    .waitFor({ timeout: 300_000 })
  const sentAfterwards = cable.sent - sentUntilClosed
  assert.ok(stored > 0)
  assert.ok(
    sentAfterwards < size - stored + mebibyte,
    `${sentAfterwards} bytes were sent after the tab was closed, although ${stored} were stored`,
  )

  const headers = { authorization: `Bearer ${owner.token}` }
  const response = await fetch(`${service.root}/buckets/${id}/objects/large.bin`, { headers })
  const hash = createHash('md5')
  for await (const chunk of response.body as ReadableStream<Uint8Array>) hash.update(chunk)
  assert.equal(hash.digest('hex'), md5)
})
