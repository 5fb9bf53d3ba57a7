import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { createSpace, type Disk, isFull } from './space.ts'

const mib = 1024 * 1024
const gib = 1024 * mib
const log = createLogger({ level: 'silent', pretty: false })

const spaceOn = (disk: { total: number; free: number }, minFreeBytes?: number) => {
  const looks: Disk[] = []
  const space = createSpace('/blobs', { config: { minFreeBytes } as never, log }, async () => {
    const found = { bsize: 1, blocks: disk.total, bavail: disk.free }
    looks.push(found)
    return found
  })
  const fits = (bytes: number) =>
    space.require(bytes).then(
      () => true,
      (error) => {
        assert.equal(error.status, 507)
        return false
      },
    )
  return { fits, looks }
}

test('half a gigabyte stays free on a large disk, a twentieth on a small one, or what is configured', async () => {
  for (const [total, floor, configured] of [
    [100 * gib, 512 * mib],
    [10 * gib, 512 * mib],
    [2 * gib, (2 * gib) / 20],
    [100 * gib, 7, 7],
    [100 * gib, 0, 0],
  ] as const) {
    const at = (free: number) => spaceOn({ total, free }, configured)
    assert.equal(await at(floor).fits(0), true, `${floor} of ${total}`)
    assert.equal(await at(floor + 10).fits(10), true)
    assert.equal(await at(floor + 10).fits(11), false)
    if (floor > 0) assert.equal(await at(floor - 1).fits(0), false)
  }
})

test('the disk is looked at once for many uploads', async () => {
  const { fits, looks } = spaceOn({ total: gib, free: gib })
  await Promise.all(Array.from({ length: 1000 }, () => fits(1)))
  assert.equal(looks.length, 1)
})

test('a folder that is not there yet is measured by the one it will be in', async () => {
  const space = createSpace('/tmp/not/there/yet', { config: { minFreeBytes: 0 } as never, log })
  await space.require(0)
})

test('a full disk and a used-up quota are told from other errors', () => {
  const errors = ['ENOSPC', 'EDQUOT', 'EIO'].map((code) => Object.assign(new Error(code), { code }))
  assert.deepEqual(errors.map(isFull), [true, true, false])
  for (const other of [null, undefined, new Error('x')]) assert.equal(isFull(other), false)
})
