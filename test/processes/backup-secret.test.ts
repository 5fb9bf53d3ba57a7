import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  backedUpSystem,
  bootRestored,
  exitOf,
  folder,
  secretIn,
  start,
  startOnce,
  target,
  trivet,
} from '#test/support/backup.ts'
import { boot } from '#test/support/boot.ts'
import { password } from '#test/support/factories.ts'

let factor = ''
const codeAt = (now: Date) =>
  new TOTP({ secret: Secret.fromBase32(factor) }).generate({ timestamp: now.getTime() })
const source = await backedUpSystem(async ({ api }) => {
  factor = (await api('POST /settings/totp/setup')).body.secret
  const { status } = await api('POST /settings/totp/verify', { body: { token: codeAt(new Date()) } })
  assert.equal(status, 200)
})
const { good, owner, bucket } = source

test('restore replaces the secret of an empty system and keeps the old one under another name', async () => {
  const env = await target()
  await startOnce(env)
  const old = await secretIn(env)
  const { code, stdout, stderr } = await trivet(['restore', '--from', good], env)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nThe previous secret was renamed to secret\.before-restore\.\n$/)
  assert.equal(await secretIn(env, 'secret.before-restore'), old)
  assert.equal(await secretIn(env), await secretIn(source.env))
  const restored = await bootRestored(env)
  const answer = await restored.storage.bearer(owner.token)(`GET /buckets/${bucket}/objects/5.bin`)
  assert.equal(answer.status, 200, 'a token from before the backup is still good')
  restored.clock.advance(60_000)
  const { status } = await restored.storage('POST /auth/login', {
    body: { email: owner.email, password, totpToken: codeAt(restored.clock.now()) },
  })
  assert.equal(status, 200, 'and so is a second factor')
  await restored.close()
})

test('restore refuses to replace the secret of another system', async () => {
  const env = await target()
  const stranger = await target({ TRIVET_DATA: env.TRIVET_DATA! })
  await startOnce(stranger)
  const { code, stderr } = await trivet(['restore', '--from', good], env)
  assert.equal(code, 1)
  assert.match(stderr, /^trivet: \S+\/secret is the secret of another system: [^\n]+\n$/)
  const names = await readdir(env.TRIVET_DATA!)
  assert.deepEqual(
    names.filter((name) => name.startsWith('secret')),
    ['secret'],
  )
})

test('restore refuses a TRIVET_SECRET that is not the secret of the backup', async () => {
  const env = await target()
  const wrong = await trivet(['restore', '--from', good], {
    ...env,
    TRIVET_SECRET: 'some other secret, long',
  })
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /^trivet: TRIVET_SECRET is not the secret of this backup: [^\n]+ unset it [^\n]+\n$/,
  )
  const right = await trivet(['restore', '--from', good], {
    ...env,
    TRIVET_SECRET: (await secretIn(source.env)).trim(),
  })
  assert.equal(right.code, 0, right.stderr)
})

test('a backup of a system with TRIVET_SECRET does not contain it, and its restore asks for it', async (t) => {
  const secret = 'a secret for tests only'
  const system = await boot({ t })
  const env = { DATABASE_URL: system.databaseUrl, TRIVET_DATA: system.dataDir, BLOBS_URL: system.blobsUrl }
  const backup = join(folder, 'without-secret')

  const wrong = await trivet(['backup', '--to', backup], { ...env, TRIVET_SECRET: 'some other secret, long' })
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /^trivet: The secret in TRIVET_SECRET is not the one that this database [^\n]+\n$/,
  )
  assert.ok(!(await readdir(folder)).includes('without-secret'), 'a backup that fails leaves nothing')

  const { code, stderr } = await trivet(['backup', '--to', backup], { ...env, TRIVET_SECRET: secret })
  assert.equal(code, 0, stderr)
  assert.ok(!(await readdir(backup)).includes('secret'))
  const text = await readFile(join(backup, 'manifest.json'), 'utf8')
  assert.ok(!text.includes(secret))

  const into = await target()
  const without = await trivet(['restore', '--from', backup], into)
  assert.match(without.stderr, /^trivet: This backup was made with TRIVET_SECRET [^\n]+\n$/)
  const other = await trivet(['restore', '--from', backup], {
    ...into,
    TRIVET_SECRET: 'some other secret, long',
  })
  assert.match(other.stderr, /^trivet: TRIVET_SECRET is not the secret of this backup: set the one [^\n]+\n$/)
  assert.deepEqual([without.code, other.code], [1, 1])
  const right = await trivet(['restore', '--from', backup], { ...into, TRIVET_SECRET: secret })
  assert.equal(right.code, 0, right.stderr)
})

test('a server refuses to start with another secret until that is accepted', async () => {
  const env = { ...source.env, TRIVET_SECRET: 'some other secret, long', STORAGE_PORT: '0', S3_PORT: '0' }
  const { code, text } = await exitOf(start(['serve'], env))
  assert.equal(code, 1)
  assert.match(text, /^trivet: The secret is not the one that this database was written with: [^\n]+\n$/)

  const other = await target()
  assert.equal((await trivet(['restore', '--from', good], other)).code, 0)
  assert.equal(
    (await exitOf(start(['secret', 'accept'], { ...other, TRIVET_SECRET: env.TRIVET_SECRET }))).code,
    0,
  )
  const system = await bootRestored(other, { TRIVET_SECRET: env.TRIVET_SECRET })
  assert.equal((await system.storage.bearer(owner.token)('GET /buckets')).status, 401)
  await system.close()
})
