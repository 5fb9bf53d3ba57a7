import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { UploadItem } from './item.ts'
import { createReadAhead } from './read-ahead.ts'

const itemOf = (file: Blob) => ({ file, size: file.size }) as UploadItem

const textOf = async (source: unknown) => {
  const given = await source
  return given instanceof Blob ? given.text() : new TextDecoder().decode(given as Uint8Array)
}

test('every small file gets its own bytes, also an empty one', async () => {
  const texts = ['first', '', 'third', 'x'.repeat(64 * 1024), 'last']
  const items = texts.map((text) => itemOf(new Blob([text])))
  const sourceOf = createReadAhead()
  for (const [n, item] of items.entries()) {
    const source = await sourceOf(item, items.slice(n))
    assert.ok(source instanceof Uint8Array)
    assert.equal(await textOf(source), texts[n])
  }
})

test('files are read once for many of them', async (t) => {
  const reads = t.mock.method(Blob.prototype, 'arrayBuffer')
  const items = Array.from({ length: 250 }, (_, n) => itemOf(new Blob([`${n}`])))
  const sourceOf = createReadAhead()
  for (const [n, item] of items.entries()) assert.equal(await textOf(sourceOf(item, items.slice(n))), `${n}`)
  assert.equal(reads.mock.callCount(), 3)
})

test('at most a megabyte is read ahead', async (t) => {
  const reads = t.mock.method(Blob.prototype, 'arrayBuffer')
  const items = Array.from({ length: 32 }, () => itemOf(new Blob(['x'.repeat(64 * 1024)])))
  const sourceOf = createReadAhead()
  for (const [n, item] of items.entries()) await sourceOf(item, items.slice(n))
  assert.equal(reads.mock.callCount(), 2)
})

test('larger files are not read ahead', async (t) => {
  const reads = t.mock.method(Blob.prototype, 'arrayBuffer')
  const [small, larger] = [new Blob(['x']), new Blob(['x'.repeat(64 * 1024 + 1)])].map(itemOf) as [
    UploadItem,
    UploadItem,
  ]
  await createReadAhead()(small, [small, larger])
  assert.deepEqual(
    reads.mock.calls.map(({ this: read }) => (read as Blob).size),
    [1],
  )
})

test('of files that have changed since they were chosen, the others can still be read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-read-ahead-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'changed.txt')
  await writeFile(path, 'before')
  const items = [new Blob(['good']), await openAsBlob(path), new Blob(['fine'])].map(itemOf)
  await writeFile(path, 'something else')
  const sourceOf = createReadAhead()
  const [good, changed, fine] = items.map((item) => textOf(sourceOf(item, items)))
  assert.equal(await good, 'good')
  await assert.rejects(changed as Promise<string>, { name: 'NotReadableError' })
  assert.equal(await fine, 'fine')
})
