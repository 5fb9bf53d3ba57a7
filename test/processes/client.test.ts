import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { onTerminal } from '#test/support/terminal.ts'
import { cableTo } from '../sdk/cable.ts'

const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const { email, api } = await storageOwner(system)
const root = await mkdtemp(join(tmpdir(), 'trivet-client-'))
after(() => rm(root, { recursive: true, force: true }))
const home = join(root, 'home')
const main = join(process.cwd(), 'src/main.ts')
const mebibyte = 1024 * 1024

type Result = { code: number; stdout: string; stderr: string }

/** `trivet` as a process of its own, in the folder of these tests and with a home of its own. */
const trivet = (args: string[], { input = '' as string | Buffer, env = {} } = {}) =>
  new Promise<Result>((resolve) => {
    const settings = { ...process.env, HOME: home, ...env }
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd: root, env: settings, maxBuffer: 64 * mebibyte },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })

const done = async (...args: string[]) => {
  const { code, stdout, stderr } = await trivet(args)
  assert.equal(code, 0, `trivet ${args.join(' ')}: ${stderr}${stdout}`)
  return stdout
}

const tree = async (folder: string) => {
  const files: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[path.slice(folder.length + 1)] = (await readFile(path)).toString('hex')
  }
  return files
}

const login = async () => {
  const args = ['login', '--url', system.urls.storage, '--email', email, '--password-stdin']
  const { code, stdout, stderr } = await trivet(args, { input: `${password}\n` })
  assert.equal(code, 0, stderr)
  return stdout
}

const kept = join(home, '.config/trivet/credentials.json')
const keptKey = async () => JSON.parse(await readFile(kept, 'utf8')).apiKey as string

test('commands say what to do when nobody is signed in, and when the password is wrong', async () => {
  const nobody = await trivet(['ls'])
  assert.equal(nobody.code, 1)
  assert.match(nobody.stderr, /^trivet: Nobody is signed in: run trivet login first\n$/)
  const args = ['login', '--url', system.urls.storage, '--email', email, '--password-stdin']
  const wrong = await trivet(args, { input: 'not the password' })
  assert.equal(wrong.code, 1)
  assert.equal(wrong.stderr, 'trivet: Invalid email or password\n')
  assert.equal((await trivet(['cp', 'one'])).code, 2)
})

test('login says in plain words that an address is no storage service, or that a password is wrong', async () => {
  const signIn = (url: string, input: string) =>
    trivet(['login', '--url', url, '--email', email, '--password-stdin'], { input })
  const other = createServer((_, res) => void res.end('hello')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  for (const [url, input, message] of [
    [
      `${system.urls.storage}/nowhere`,
      password,
      `${system.urls.storage}/nowhere is not a Trivet storage service`,
    ],
    [elsewhere, password, `${elsewhere} is not a Trivet storage service`],
    [system.urls.s3, password, `${system.urls.s3} is not a Trivet storage service`],
    [system.urls.storage, 'short', 'Invalid email or password'],
    [system.urls.storage, 'a wrong password', 'Invalid email or password'],
  ] as const)
    assert.deepEqual(await signIn(url, input), { code: 1, stdout: '', stderr: `trivet: ${message}\n` })
  other.close()
})

test('login keeps an API key that only its owner can read, and logout revokes it', async () => {
  assert.match(await login(), new RegExp(`^Signed in to ${system.urls.storage} as ${email}`))
  assert.equal((await stat(kept)).mode & 0o777, 0o600)
  const apiKey = await keptKey()
  assert.equal(await done('ls'), '')
  const elsewhere = await trivet(['ls'], { env: { TRIVET_URL: 'http://127.0.0.1:9' } })
  assert.match(elsewhere.stderr, /trivet login was for/)
  await done('logout')
  assert.equal((await trivet(['ls'])).code, 1)
  const env = { TRIVET_URL: system.urls.storage, TRIVET_API_KEY: apiKey }
  assert.equal((await trivet(['ls'], { env })).code, 1)
  await login()
})

test('a file is copied up, listed, read, moved, shared and deleted', async () => {
  assert.equal(await done('mb', 'papers'), 'Made papers:\n')
  assert.match((await trivet(['mb', 'papers'])).stderr, /^trivet: .+/)
  await writeFile(join(root, 'offer.txt'), 'first draft')
  assert.match(
    await done('cp', 'offer.txt', 'papers:2026/'),
    /Uploaded .*offer\.txt to papers:2026\/offer\.txt/,
  )
  assert.match(await done('ls'), /11 bytes .* papers: \(1 object, private\)/)
  assert.match(await done('ls', 'papers:'), /folder\s+2026\/\n/)
  assert.match(await done('ls', 'papers:2026/'), /11 bytes .* 2026\/offer\.txt\n/)
  const [line] = (await done('ls', '-r', 'papers:', '--json')).split('\n')
  assert.equal(JSON.parse(line as string).type, 'text/plain')
  assert.equal(await done('cat', 'papers:2026/offer.txt'), 'first draft')

  await done('mv', 'papers:2026/offer.txt', 'papers:final/offer.txt')
  await done('cp', 'papers:final/offer.txt', 'papers:copy.txt')
  assert.equal(await done('cp', 'papers:copy.txt', '-'), 'first draft')
  const url = (await done('share', 'papers:copy.txt', '--expires', '2h')).trim()
  assert.equal(await (await fetch(url)).text(), 'first draft')
  assert.equal((await trivet(['share', 'papers:copy.txt', '--expires', '8d'])).code, 2)

  assert.equal(await done('rm', 'papers:copy.txt'), 'Deleted papers:copy.txt\n')
  const missing = await trivet(['cat', 'papers:copy.txt'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^trivet: .+\n$/)
  const dry = await done('rm', '-r', 'papers:', '--dry-run')
  assert.equal(dry, 'Would delete papers:final/offer.txt\n')
  await done('rm', '-r', 'papers:')
  assert.equal(await done('ls', '-r', 'papers:'), '')
})

test('standard input of any length becomes an object', async () => {
  await done('mb', 'streams')
  const bytes = randomBytes(20 * mebibyte)
  const { code, stderr } = await trivet(['cp', '-', 'streams:dump'], { input: bytes })
  assert.equal(code, 0, stderr)
  const path = join(root, 'dump')
  await done('cp', 'streams:dump', 'dump')
  assert.ok((await readFile(path)).equals(bytes))
})

test('a tree is the same after sync up and down; what is the same is not sent again', async () => {
  await done('mb', 'trees')
  const from = join(root, 'from')
  const names = ['a.txt', 'empty', 'b/ä ö+%25 #?.txt', 'b/c/deep', 'b/.hidden', "b/it's"]
  for (const name of names) {
    await mkdir(join(from, name, '..'), { recursive: true })
    await writeFile(join(from, name), name === 'empty' ? '' : randomBytes(1000))
  }
  await writeFile(join(from, 'large.bin'), randomBytes(20 * mebibyte))
  await done('sync', 'from', 'trees:backup')
  assert.equal(await done('sync', 'from', 'trees:backup'), '')
  await done('sync', 'trees:backup', 'to')
  assert.deepEqual(await tree(join(root, 'to')), await tree(from))
  assert.equal(await done('sync', 'trees:backup', 'to'), '')

  // The same size, another content.
  await writeFile(join(from, 'a.txt'), randomBytes(1000))
  await rm(join(from, 'empty'))
  const planned = await done('sync', 'from', 'trees:backup', '--delete', '--dry-run', '--json')
  const jobs = planned
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    jobs.flatMap(({ action, done: isDone }) => (action ? [[action, isDone]] : [])),
    [
      ['upload', false],
      ['delete', false],
    ],
  )
  await done('sync', 'from', 'trees:backup', '--delete')
  await done('sync', 'trees:backup', 'to', '--delete')
  assert.deepEqual(await tree(join(root, 'to')), await tree(from))
  assert.match(await done('sync', 'from', 'trees:other', '--exclude', 'b/**', '*.bin'), /a\.txt/)
  assert.equal((await done('ls', '-r', 'trees:other')).trim().split('\n').length, 1)
  const absent = await trivet(['sync', 'no-such-folder', 'trees:backup', '--delete'])
  assert.match(absent.stderr, /There is no folder no-such-folder/)
})

/** How many uploads the server has received: of several objects, and of single ones. */
const uploadsSoFar = async () => {
  const { text } = await system.storage('GET /metrics')
  const count = (pattern: RegExp) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  return {
    batches: count(/^trivet_http_request_seconds_count\{.*method="POST".*\/objects\/batch"/),
    single: count(/^trivet_http_request_seconds_count\{.*method="PUT".*\/objects\//),
  }
}

test('small files are sent together, and what is larger by itself', async () => {
  await done('mb', 'many')
  const from = join(root, 'many')
  await mkdir(join(from, 'deep'), { recursive: true })
  for (let n = 0; n < 230; n++) await writeFile(join(from, 'deep', `${n}.txt`), `file ${n}`)
  await writeFile(join(from, 'just.bin'), randomBytes(64 * 1024))
  await writeFile(join(from, 'larger.bin'), randomBytes(64 * 1024 + 1))
  const before = await uploadsSoFar()
  const lines = (await done('cp', '-r', 'many', 'many:', '--json')).trim().split('\n')
  assert.deepEqual(await uploadsSoFar(), { batches: before.batches + 3, single: before.single + 1 })
  assert.equal(lines.length, 233)
  const { summary } = JSON.parse(lines.at(-1) ?? '')
  assert.deepEqual([summary.done, summary.failed], [232, 0])
  assert.equal(await done('sync', 'many', 'many:'), '')
  assert.match(await done('ls', 'many:deep/', '--json'), /text\/plain/)

  await done('mv', '-r', 'many', 'many:moved')
  assert.deepEqual(await tree(from), {})
  assert.equal(await done('cat', 'many:moved/deep/229.txt'), 'file 229')
})

test('a key that would reach outside of the folder is not written, and is named', async () => {
  const { id } = (await api('POST /buckets', { body: { name: 'hostile' } })).body
  for (const key of ['../outside', 'inside', 'a//b', 'control\u009bcode'])
    await api(`PUT /buckets/${id}/objects/${encodeURIComponent(key)}`, { raw: 'x' as never })
  const { code, stdout, stderr } = await trivet(['cp', '-r', 'hostile:', 'safe'])
  assert.equal(code, 1)
  assert.match(stderr, /hostile:\.\.\/outside .*: its key is not a path that a file can have/)
  assert.match(stdout, /inside/)
  assert.doesNotMatch(stdout + stderr, /\u009b/)
  assert.deepEqual(
    Object.keys(await tree(join(root, 'safe'))).filter((name) => name === 'inside'),
    ['inside'],
  )
  await assert.rejects(stat(join(root, 'outside')))
})

test('a failure does not end the others, and the exit code tells', async () => {
  await done('mb', 'partly')
  const folder = join(root, 'partly')
  // Together longer than a key may be.
  const long = join(folder, ...Array.from({ length: 5 }, () => 'x'.repeat(220)))
  await mkdir(long, { recursive: true })
  for (const path of [join(folder, 'one'), join(long, 'two'), join(folder, 'three')])
    await writeFile(path, path)
  const { code, stdout, stderr } = await trivet(['cp', '-r', 'partly', 'partly:'])
  assert.equal(code, 1)
  assert.match(stderr, /^trivet: .+x\/two: .+$/m)
  assert.match(stdout, /partly\/one to partly:one\n/)
  assert.match(stdout, /partly\/three to partly:three\n/)
  assert.match(stdout, /2 done, .+; 1 failed\.\n$/)
})

/** Starts a command through a cable that is pulled half way, and kills it there. */
const interrupted = async (t: TestContext, args: string[], bytes: number) => {
  const cable = await cableTo(t, system.urls.storage)
  const apiKey = await keptKey()
  const env = { ...process.env, HOME: home, TRIVET_URL: cable.url, TRIVET_API_KEY: apiKey }
  cable.pullAfter(bytes)
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env, stdio: 'ignore' })
  await until('half of it is sent', () => cable.sent >= bytes)
  child.kill('SIGKILL')
  await once(child, 'exit')
  cable.plugIn()
  return { cable, env: { TRIVET_URL: cable.url, TRIVET_API_KEY: apiKey } }
}

test('an upload that was killed is continued by the same command', async (t) => {
  await done('mb', 'resumed')
  const bytes = randomBytes(40 * mebibyte)
  await writeFile(join(root, 'film.mp4'), bytes)
  const { cable, env } = await interrupted(t, ['cp', 'film.mp4', 'resumed:'], 36 * mebibyte)
  const before = cable.sent
  const { code, stderr } = await trivet(['cp', 'film.mp4', 'resumed:'], { env })
  assert.equal(code, 0, stderr)
  assert.ok(cable.sent - before < 38 * mebibyte, `${cable.sent - before} bytes were sent again`)
  await done('cp', 'resumed:film.mp4', 'film.mp4')
  assert.ok((await readFile(join(root, 'film.mp4'))).equals(bytes))
  assert.deepEqual(await readdir(join(home, '.local/state/trivet/uploads')), [])
})

test('while the connection is lost, a transfer says what it waits for, and then goes on', async (t) => {
  await done('mb', 'patient')
  await writeFile(join(root, 'slow'), randomBytes(2 * mebibyte))
  const cable = await cableTo(t, system.urls.storage)
  cable.pullAfter(mebibyte)
  const env = { HOME: home, TRIVET_URL: cable.url, TRIVET_API_KEY: await keptKey() }
  const terminal = await onTerminal(t, `${process.execPath} ${main} cp slow patient:`, env, root)
  const said = /of 2\.0 MiB · 0 of 1 files · waiting \d s to reconnect/
  await until('it says that it waits', () => said.test(terminal.text()))
  cable.plugIn()
  await terminal.exited
  assert.match(terminal.text(), /Uploaded .*slow to patient:slow/)
})

test('on a terminal a transfer shows a bar with bytes, rate and time left', async (t) => {
  await done('mb', 'shown')
  await writeFile(join(root, 'big'), randomBytes(24 * mebibyte))
  const cable = await cableTo(t, system.urls.storage, 8)
  const terminal = await onTerminal(
    t,
    `${process.execPath} ${main} cp big shown:`,
    { HOME: home, TRIVET_URL: cable.url, TRIVET_API_KEY: await keptKey() },
    root,
  )
  await terminal.exited
  assert.match(terminal.text(), /[█░]{20} [\d.]+ \w+ of 24\.0 MiB · [\d.]+ \w+\/s · .+ left/)
  assert.match(terminal.text(), /Uploaded .*big to shown:big/)
})
