import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folders.ts'
import { freePort } from '#test/support/postgres.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const folder = await temporaryFolder('operator')

type Output = { code: number; stdout: string; stderr: string }
const trivet = (args: string[], env: Record<string, string> = {}) =>
  new Promise<Output>((resolve) => {
    const options = { env: { ...process.env, TRIVET_DATA: join(folder, 'data'), ...env }, timeout: 60_000 }
    execFile(process.execPath, ['src/main.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

test('every command has help, and an unknown command gets a suggestion and exit code 2', async () => {
  const help = await trivet(['help'])
  assert.equal(help.code, 0)
  for (const word of ['serve', 'migrate', 'demo', 'verify', 'backup', 'restore', 'TRIVET_DATA'])
    assert.match(help.stdout, new RegExp(`\\b${word}\\b`))
  for (const word of ['serve', 'backup', 'verify'])
    assert.match((await trivet([word, '--help'])).stdout, new RegExp(`^Usage: trivet ${word}`))
  const typo = await trivet(['bakup'])
  assert.equal(typo.code, 2)
  assert.equal(typo.stderr, "trivet: unknown command 'bakup' (Did you mean backup?)\n")
  const missing = await trivet(['backup'])
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /--to/)
})

test('a command that changes the name of the instance prints the settings, and no warning', async () => {
  for (let n = 0; n < 2; n++) {
    const { code, stdout, stderr } = await trivet(['publishing', 'instance', 'set', '--name', `Notes ${n}`])
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`^name +Notes ${n}\n(?:[a-z]+ .*\n)+$`))
    assert.doesNotMatch(stdout + stderr, /could not be read/)
  }
})

test('demo works on a stopped and on a running system, and a second run adds nothing', {
  timeout: 120_000,
}, async () => {
  const first = await trivet(['demo'])
  assert.equal(first.code, 0, first.stderr)
  const again = await trivet(['demo'])
  assert.equal(again.stdout, first.stdout)
  assert.match(first.stdout, /ada@harbour\.example +trivet-demo/)
})

test('demo says so when no server responds at the addresses that it prints', async () => {
  const ports = {
    STORAGE_PORT: await freePort(),
    PUBLISHING_PORT: await freePort(),
    INVENTORY_PORT: await freePort(),
  }
  const env = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  const notice = /\nNo server responds at these addresses yet\. Start one with: npm start\n$/
  assert.match((await trivet(['demo'], env)).stdout, notice)
  const server = await serveProcess({ TRIVET_DATA: join(folder, 'data'), ...env })
  try {
    assert.doesNotMatch((await trivet(['demo'], env)).stdout, notice)
  } finally {
    await server.stop()
  }
})

test('demo is refused where other machines can reach the server, unless --public is given', async () => {
  for (const [env, host] of [
    [{ HOST: '0.0.0.0', ALLOW_HTTP: 'on' }, '0.0.0.0'],
    [{ PUBLISHING_URL: 'https://pages.example' }, 'pages.example'],
  ] as const)
    for (const args of [['demo'], ['serve', '--demo']]) {
      const { code, stdout, stderr } = await trivet(args, env)
      assert.equal(code, 1, stderr)
      assert.match(stderr, new RegExp(`^trivet: Others can reach this server \\(${host}\\).*--public.*\n$`))
      assert.equal(stdout, '')
    }
  const local = { STORAGE_URL: 'http://[::1]:4001', INVENTORY_URL: 'http://127.0.0.1:4003' }
  assert.equal((await trivet(['demo'], local)).code, 0)
  assert.equal((await trivet(['demo', '--public'], { PUBLISHING_URL: 'https://pages.example' })).code, 0)
})

test('verify finds nothing wrong in the demo data', { timeout: 120_000 }, async () => {
  const { code, stdout } = await trivet(['verify'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /Everything is as it should be/)
})

test('restore refuses an unfinished backup', async () => {
  const { code, stderr } = await trivet(['restore', '--from', join(folder, 'nothing')])
  assert.equal(code, 1)
  assert.match(stderr, /is not a finished backup/)
})
