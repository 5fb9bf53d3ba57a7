import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Route } from 'playwright-core'
import { createStorage } from '#sdk/index.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { assertQuiet, openAs, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const service = await startConsole()
const owner = await storageOwner(service.system)
const { page, troubles } = await openAs(service, owner.email)
const storage = createStorage({ baseUrl: service.root, token: owner.token })
const total = 1_001

/** Longer than work goes on before it shows how far it is. */
const longMs = 2_000
const late = async (route: Route) => {
  await sleep(longMs)
  await route.continue()
}

let buckets = 0
/** A bucket with a folder of more objects than are deleted without a question, open in the console. */
const open = async () => {
  const id = await createBucket(owner.api, `many-${++buckets}`)
  for (let at = 0; at < total; at += 100) {
    const names = Array.from({ length: Math.min(100, total - at) }, (_, n) => `f/${at + n}`)
    const files = names.map((key) => ({ key, source: new Blob(['x']) }))
    const { errors } = await storage.uploadBatch(id, files)
    assert.deepEqual(errors, [])
  }
  await page.goto(service.address(`/buckets/${id}`))
  await page.getByRole('link', { name: 'f', exact: true }).waitFor()
  return id
}
const countOf = async (id: string) => (await owner.api(`GET /buckets/${id}`)).body.object_count as number
const removeFolder = async () => {
  await page.getByRole('button', { name: 'Actions for f', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
}
const question = page.getByRole('dialog', { name: 'Delete 1,001 objects?' })
const progress = page.getByRole('dialog', { name: 'Deleting objects' })

test('a folder of more than 1,000 objects is deleted after a question that nothing covers', async () => {
  const id = await open()
  await page.route(`**/buckets/${id}/objects/delete`, late)
  await removeFolder()
  await question.waitFor()
  await sleep(longMs / 2)
  assert.equal(await progress.count(), 0)
  await inspect(page, 'objects-delete-many')
  await question.getByRole('button', { name: 'Delete objects' }).click()
  await progress.getByText(`0 of 1,001`).first().waitFor()
  await page.getByText('Deleted f').waitFor()
  assert.equal(await progress.count(), 0)
  assert.equal(await countOf(id), 0)
})

test('while they are looked for slowly, a dialog says so and gives way to the question', async () => {
  const id = await open()
  await page.route(`**/buckets/${id}/objects?*limit=1000*`, late)
  await removeFolder()
  await progress.getByText('Looking for objects…').first().waitFor()
  await question.waitFor()
  assert.equal(await progress.count(), 0)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await countOf(id), total)
})

test('a session that expires at the start of long work is renewed in a dialog that nothing covers', async () => {
  const id = await open()
  await page.request.delete(`${service.root}/auth/session`, { headers: { 'x-trivet-console': '1' } })
  await removeFolder()
  const expired = page.getByRole('dialog', { name: 'Your session has expired' })
  await expired.waitFor()
  await sleep(longMs / 2)
  assert.equal(await progress.count(), 0)
  await expired.getByLabel('Password').fill(password)
  await expired.getByRole('button', { name: 'Sign in' }).click()
  await question.getByRole('button', { name: 'Delete objects' }).click()
  await page.getByText('Deleted f').waitFor()
  assert.equal(await countOf(id), 0)
})

test('nothing was written to the console of the browser', () => assertQuiet(troubles, [401]))
