import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const system = await boot()
const { publishing } = system

const trivet = async (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: system.databaseUrl, TRIVET_DATA: system.dataDir }
  const run = promisify(execFile)(process.execPath, ['src/main.ts', ...args], { env })
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  )
}

test('the operator suspends, verifies and appoints, while the service runs', async () => {
  const mira = await publisher(system)
  const profile = () => publishing(`GET /api/users/${mira.handle}`)
  assert.equal((await profile()).status, 200)
  assert.equal((await trivet('publishing', 'suspend', '--handle', mira.handle)).code, 0)
  assert.equal((await profile()).status, 403)
  assert.equal((await trivet('publishing', 'unsuspend', '--handle', `@${mira.handle}`)).code, 0)
  assert.equal((await trivet('publishing', 'verify', '--handle', mira.handle)).code, 0)
  assert.equal((await profile()).body.data.is_verified, true)
  assert.equal((await trivet('publishing', 'admin', '--handle', mira.handle)).code, 0)
  assert.equal((await mira.api(`POST /api/admin/users/${mira.handle}/verify`)).status, 200)
  const unknown = await trivet('publishing', 'verify', '--handle', 'no_such_one')
  assert.equal(unknown.code, 1)
  assert.match(unknown.text, /User not found/)
})

test('the demo is believable, and filled once', async () => {
  const ctx = service.context(system.platform)
  const logins = await service.demo(ctx)
  assert.deepEqual(await service.demo(ctx), logins)
  const { login: email, password } = logins[0]!
  const session = await publishing('POST /api/auth/login', { body: { email, password } })
  const home = await publishing.bearer(session.body.data.accessToken)('GET /api/timeline/home?limit=100')
  assert.equal(home.body.data.posts.length, 10)
  assert.deepEqual(await service.verify(ctx), [])
})
