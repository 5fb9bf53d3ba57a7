import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { jpeg } from '#test/acceptance/publishing/support/images.ts'
import { bootRestored, bootWithFolder, environmentOf, folder, target, trivet } from '#test/support/backup.ts'
import { publisher } from '#test/support/factories.ts'

test('a backup holds uploaded pictures, which the restored system serves at its own address', async () => {
  const source = await bootWithFolder()
  const mira = await publisher(source, { handle: 'mira_kept' })
  const { body } = await mira.api('PUT /api/users/me/avatar', { raw: Uint8Array.from(await jpeg()) })
  const before = body.data.avatar_url as string
  const bytes = await (await fetch(before)).bytes()
  const saved = join(folder, 'with-pictures')
  assert.equal((await trivet(['backup', '--to', saved], environmentOf(source))).code, 0)
  const env = await target()
  const { code, stderr } = await trivet(['restore', '--from', saved], env)
  assert.equal(code, 0, stderr)
  const { publishing } = await bootRestored(env)
  const { avatar_url } = (await publishing('GET /api/users/mira_kept')).body.data
  assert.equal(avatar_url, publishing.base + new URL(before).pathname)
  assert.deepEqual(await (await fetch(avatar_url)).bytes(), bytes)
  assert.equal((await trivet(['verify'], env)).code, 0)
})
