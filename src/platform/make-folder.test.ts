import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './make-folder.ts'

test('makeFolder makes what is missing of a path and returns the first folder that it made', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'make-folder-'))
  t.after(() => rm(folder, { recursive: true }))
  assert.equal(await makeFolder(join(folder, 'a/b/c'), 0o700), join(folder, 'a'))
  assert.equal((await stat(join(folder, 'a/b/c'))).mode & 0o777, 0o700)
  assert.equal(await makeFolder(join(folder, 'a/b/c')), undefined)
  assert.equal(await makeFolder(join(folder, 'a/b/d')), join(folder, 'a/b/d'))
  await writeFile(join(folder, 'file'), '')
  await assert.rejects(makeFolder(join(folder, 'file')), { code: 'EEXIST' })
  await assert.rejects(makeFolder(join(folder, 'file/below')), { code: 'ENOTDIR' })
})

test('makeFolder fails at once where no folder can be made', { timeout: 10_000 }, async () => {
  if (platform() === 'linux') await assert.rejects(makeFolder('/proc/trivet/data'), { code: 'ENOENT' })
})
