import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createDecipheriv } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { openSecrets } from '#platform/secrets.ts'

const secret = 'a secret of the operator'

const temporaryFolder = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-secrets-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a derived key depends on the secret and the purpose only', async () => {
  const one = await openSecrets({ secret, dataDir: '/nowhere' })
  const same = await openSecrets({ secret, dataDir: '/elsewhere' })
  const other = await openSecrets({ secret: `${secret}!`, dataDir: '/nowhere' })
  assert.equal(one.key('tokens').length, 32)
  assert.deepEqual(one.key('tokens'), same.key('tokens'))
  assert.notDeepEqual(one.key('tokens'), one.key('urls'))
  assert.notDeepEqual(one.key('tokens'), other.key('tokens'))
})

test('derived keys do not change between releases', async () => {
  const { key } = await openSecrets({ secret, dataDir: '/nowhere' })
  assert.equal(
    key('tokens').toString('hex'),
    '3e139bf6f3c20a55703d366740a09c98273731b9803d21d070c1a2764ea7cb27',
  )
})

test('sealed text can be unsealed for its purpose only', async () => {
  const secrets = await openSecrets({ secret, dataDir: '/nowhere' })
  for (const text of ['', 'JBSWY3DPEHPK3PXP', 'ключ 🔑']) {
    const sealed = secrets.seal('totp', text)
    assert.equal(secrets.unseal('totp', sealed), text)
    assert.throws(() => secrets.unseal('api-key', sealed))
  }
  assert.notEqual(secrets.seal('totp', 'same'), secrets.seal('totp', 'same'))
})

test('the signing key of a purpose cannot decrypt what was sealed for it', async () => {
  const secrets = await openSecrets({ secret, dataDir: '/nowhere' })
  const box = Buffer.from(secrets.seal('totp', 'JBSWY3DPEHPK3PXP').slice('v1.'.length), 'base64url')
  const open = (key: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12)).setAuthTag(box.subarray(-16))
    return decipher.update(box.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  }
  assert.equal(open(secrets.key('seal:totp')), 'JBSWY3DPEHPK3PXP')
  assert.throws(() => open(secrets.key('totp')))
})

test('sealed text that was altered, cut or comes from another version is refused', async () => {
  const secrets = await openSecrets({ secret, dataDir: '/nowhere' })
  const sealed = secrets.seal('totp', 'JBSWY3DPEHPK3PXP')
  const box = Buffer.from(sealed.slice(3), 'base64url')
  for (let i = 0; i < box.length; i++) {
    const altered = Buffer.from(box)
    altered[i]! ^= 1
    assert.throws(() => secrets.unseal('totp', `v1.${altered.toString('base64url')}`), `byte ${i}`)
  }
  for (const cut of ['', 'v1.', sealed.slice(0, 20), sealed.slice(0, -4), sealed.replace('v1.', 'v2.')])
    assert.throws(() => secrets.unseal('totp', cut), cut)
})

test('without TRIVET_SECRET a secret is generated once, in a file that only the owner can read', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'new', 'data')
  const first = await openSecrets({ dataDir })
  const again = await openSecrets({ dataDir })
  assert.deepEqual(again.key('tokens'), first.key('tokens'))
  assert.equal((await stat(join(dataDir, 'secret'))).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(dataDir), ['secret'])

  const handedOver = (await readFile(join(dataDir, 'secret'), 'utf8')).trim()
  assert.ok(handedOver.length >= 43)
  assert.deepEqual(
    (await openSecrets({ secret: handedOver, dataDir: '/nowhere' })).key('tokens'),
    first.key('tokens'),
  )
})

test('an empty secret file is refused', async (t) => {
  const dataDir = await temporaryFolder(t)
  await writeFile(join(dataDir, 'secret'), '')
  await assert.rejects(openSecrets({ dataDir }), /is damaged/)
})

test('processes that start at the same time generate one secret', async (t) => {
  const dataDir = await temporaryFolder(t)
  const starter = `
    import { openSecrets } from '#platform/secrets.ts'
    while (Date.now() < Number(process.argv[2])) {}
    console.log((await openSecrets({ dataDir: process.argv[1] })).key('tokens').toString('hex'))`
  const together = String(Date.now() + 600)
  const start = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', starter, dataDir, together])
  const keys = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout)
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(await readdir(dataDir), ['secret'])
})
