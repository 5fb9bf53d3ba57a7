import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isFull } from '#platform/blobs/space.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { mountSmallDisk } from '#test/support/small-disk.ts'

const mib = 1024 * 1024

test('uploads to a full disk get 507 and leave nothing behind; uploads that fit are stored', async (t) => {
  const disk = await mkdtemp(join(tmpdir(), 'trivet-disk-'))
  const tidying: (() => unknown)[] = [() => rm(disk, { recursive: true, force: true })]
  const mounted = mountSmallDisk(disk, 4, tidying)
  const system = await boot({ env: { BLOBS_URL: `file:${disk}`, MIN_FREE_BYTES: '0' }, t })
  t.after(async () => {
    for (const tidy of tidying) await tidy()
  })
  const { api } = await storageOwner(system)
  const { id } = (await api('POST /buckets', { body: { name: 'full' } })).body
  const root = `/buckets/${id}`
  const { uploadId } = (await api(`POST ${root}/multipart/initiate`, { body: { objectKey: 'parts' } })).body
  const part = `PUT ${root}/multipart/${uploadId}/parts/1`
  assert.equal((await api(`PUT ${root}/objects/fits`, { raw: Buffer.alloc(2 * mib, 'f') })).status, 201)
  // Where no disk may be mounted there is still a device that is always full.
  if (!mounted) return assert.ok(isFull(await writeFile('/dev/full', 'x').catch((error) => error)))

  // Not announced, so that nothing but the disk itself can tell that it is too much.
  const unannounced = () =>
    new ReadableStream({
      start(controller) {
        for (let n = 0; n < 8; n++) controller.enqueue(new Uint8Array(mib / 2))
        controller.close()
      },
    })
  for (const call of [`PUT ${root}/objects/large`, part])
    for (const raw of [Buffer.alloc(4 * mib), unannounced()]) {
      const { status, body } = await api(call, { raw })
      assert.equal(status, 507, call)
      assert.equal(body.message, 'The server has no room for this upload at the moment')
    }
  assert.deepEqual(await readdir(join(disk, 'drafts')), [])
  assert.equal((await api('GET /usage/summary')).body.storage_used_bytes, 2 * mib)
  assert.equal((await api(`GET ${root}/objects/fits`)).text, 'f'.repeat(2 * mib))
  // The disk is looked at once a second.
  await until('there is room for a smaller part', async () => {
    const { status } = await api(part, { raw: Buffer.alloc(mib) })
    return status === 200
  })
  assert.equal((await api('POST /buckets', { body: { name: 'goes-on' } })).status, 201)
})
