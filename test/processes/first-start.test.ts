import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/folders.ts'

const folder = await temporaryFolder('first-start')

type Ended = { code: number | string | undefined; stdout: string; stderr: string }
const run = (program: string, args: string[], env: Record<string, string> = {}, cwd?: string) =>
  new Promise<Ended>((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 60_000, ...(cwd ? { cwd } : {}) }
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? undefined) : 0, stdout, stderr }),
    )
  })
const serve = (env: Record<string, string>) =>
  run(process.execPath, ['src/main.ts', 'serve'], {
    TRIVET_SERVICES: 'storage',
    STORAGE_PORT: '0',
    S3_PORT: '0',
    TRIVET_DATA: join(folder, 'data'),
    ...env,
  })

test('a port that is taken is one line that names its variable, before a database is made', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const { code, stdout, stderr } = await serve({ STORAGE_PORT: String(port) })
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    `trivet: STORAGE_PORT ${port} is taken by another program: stop it, or set STORAGE_PORT to another port.\n`,
  )
  assert.deepEqual(await readdir(folder), [])
})

test('a port that is found to be taken only when the server listens is the same line', async (t) => {
  // Listening on all addresses fails because of this one, but connecting to all of them does not reach it.
  const other = createServer().listen(0, '127.0.0.2')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await serve({ HOST: '0.0.0.0', ALLOW_HTTP: 'on', STORAGE_PORT: String(port) })
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`^trivet: STORAGE_PORT ${port} is taken by another program: [^\\n]+\\n$`))
})

test('an address that this machine does not have is one line that names HOST', async () => {
  const { code, stderr } = await serve({ HOST: '192.0.2.1', ALLOW_HTTP: 'on' })
  assert.deepEqual([code, stderr], [1, 'trivet: HOST 192.0.2.1 is not an address of this machine.\n'])
})

test('a database that cannot be reached is one line that names DATABASE_URL and hides its password', async () => {
  const { code, stderr } = await serve({ DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/trivet' })
  assert.equal(code, 1)
  assert.equal(
    stderr,
    'trivet: DATABASE_URL postgres://ada:***@127.0.0.1:1/trivet cannot be used: no PostgreSQL listens at 127.0.0.1:1.\n',
  )
  const unknown = await serve({ DATABASE_URL: 'postgres://ada@nowhere.invalid/trivet' })
  assert.match(
    unknown.stderr,
    /^trivet: DATABASE_URL .* cannot be used: the host of nowhere\.invalid is not known\.\n$/,
  )
})

test('a data folder that cannot be made is one line that names TRIVET_DATA', async () => {
  const { code, stderr } = await serve({ TRIVET_DATA: '/dev/null/data' })
  assert.equal(code, 1)
  assert.match(stderr, /^trivet: [^\n]+: choose another TRIVET_DATA\.\n$/)
  if (process.platform !== 'linux') return
  const proc = await serve({ TRIVET_DATA: '/proc/data' })
  assert.equal(
    proc.stderr,
    'trivet: The data folder /proc/data cannot be made there: choose another TRIVET_DATA.\n',
  )
})

test('without npm ci, start and test say in one line that it is missing', async (t) => {
  const clone = join(folder, 'clone')
  t.after(() => rm(clone, { recursive: true }))
  await mkdir(clone)
  for (const part of ['bin', 'src', 'package.json']) await cp(part, join(clone, part), { recursive: true })
  for (const script of ['start', 'test']) {
    const { code, stderr } = await run('npm', ['run', '--silent', script], {}, clone)
    assert.equal(code, 1, script)
    assert.match(stderr, /^trivet: The packages are not installed: run "npm ci" in \S+clone\/ first\.\n$/m)
    assert.doesNotMatch(stderr, / at /)
  }
})

test('the trivet command of a clone runs on the Node of its packages, whichever Node starts it', async (t) => {
  const otherNode = join(folder, 'other-node')
  await copyFile(process.execPath, otherNode)
  t.after(() => rm(otherNode))
  for (const [program, args] of [
    ['npx', ['trivet', '--version']],
    [process.execPath, ['bin/trivet.js', '--version']],
    [otherNode, ['bin/trivet.js', '--version']],
  ] as const) {
    const { code, stdout } = await run(program, [...args])
    assert.equal(code, 0)
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  }
  const wrong = await run(otherNode, ['bin/trivet.js', 'no-such-command'])
  assert.equal(wrong.code, 2, 'the exit code is passed on')
})
