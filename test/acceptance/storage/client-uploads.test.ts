import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStorage, type TrivetError } from '#sdk/index.ts'
import { filesBelow } from '#src/client/files.ts'
import type { Job } from '#src/client/jobs.ts'
import { inGroups, uploadJob } from '#src/client/uploads.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'

const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const { token } = await storageOwner(system)
const url = system.urls.storage
const storage = { ...createStorage({ baseUrl: url, token }), url }
const { data: bucket } = await storage.POST('/buckets', { body: { name: 'client-uploads' } })

/** Lists a folder as `trivet cp -r` does. What happens to its files afterwards happens before they are read. */
const listed = (folder: string, { isMove = false, bucketId = bucket.id } = {}) => {
  const uploads = async function* () {
    for await (const file of filesBelow(folder))
      yield uploadJob(storage, file, { bucketId, to: { bucket: bucket.name, key: file.name } }, { isMove })
  }
  return Array.fromAsync(inGroups(storage, bucketId, uploads()))
}

const contentOf = async (key: string) => {
  const { body } = await storage.download(bucket.id, key)
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

test('of a group, files that have changed are sent as they are now, and those that are gone fail alone', async () => {
  const folder = await temporaryFolder('client-uploads')
  for (const name of ['same', 'grown', 'gone', 'other']) await writeFile(join(folder, name), name)
  const [group, ...others] = await listed(folder)
  assert.ok(group && 'jobs' in group && others.length === 0)
  await writeFile(join(folder, 'grown'), 'x'.repeat(2_000_000))
  await rm(join(folder, 'gone'))
  const outcomes = new Map<Job, unknown>()
  await group.run((job, error) => {
    assert.ok(!outcomes.has(job))
    outcomes.set(job, error)
  })
  assert.equal(outcomes.size, 4)
  const failed = group.jobs.filter((job) => outcomes.get(job) !== undefined)
  assert.deepEqual(
    failed.map(({ to }) => to),
    ['client-uploads:gone'],
  )
  assert.equal(await contentOf('same'), 'same')
  assert.equal((await contentOf('grown')).length, 2_000_000)
})

test('a request that fails as a whole fails for each of its files, and none of them is moved', async () => {
  const folder = await temporaryFolder('client-uploads')
  for (const name of ['one', 'two']) await writeFile(join(folder, name), name)
  const [group] = await listed(folder, { isMove: true, bucketId: crypto.randomUUID() })
  assert.ok(group && 'jobs' in group)
  const errors: unknown[] = []
  await group.run((_, error) => void errors.push(error))
  assert.deepEqual(
    errors.map((error) => (error as TrivetError).status),
    [404, 404],
  )
  assert.equal((await Array.fromAsync(filesBelow(folder))).length, 2)
})
