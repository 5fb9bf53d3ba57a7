import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '#test/support/client.ts'
import { storageOwner } from '#test/support/factories.ts'
import { freePort } from '#test/support/postgres.ts'
import { headOf, rawConnection } from '#test/support/sockets.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})
const dataFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-stop-'))
  await chmod(folder, 0o711)
  folders.push(folder)
  return folder
}
const postmasterPid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
const timeout = 90_000

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`${signal} stops cleanly, at once where nobody else could notice, and leaves no PostgreSQL`, {
    timeout,
  }, async () => {
    const dataDir = await dataFolder()
    const server = await serveProcess({ TRIVET_DATA: dataDir })
    const pid = await postmasterPid(dataDir)
    const { code, errors } = await server.stop(signal)
    assert.equal(code, 0, errors)
    assert.deepEqual(
      server.lines.slice(-2).map(({ msg }) => msg),
      ['draining', 'stopped'],
    )
    assert.equal(server.lines.at(-2)?.noticeMs, 0)
    assert.ok(isGone(pid))
  })

/** Trivet as people start it, in a group of processes of its own, as a terminal would. */
const asPeopleDo = async (script: string[], dataDir: string) => {
  const port = await freePort()
  const child = spawn('npm', ['run', ...script], {
    env: {
      ...process.env,
      TRIVET_DATA: dataDir,
      TRIVET_SERVICES: 'storage',
      STORAGE_PORT: String(port),
      RATE_LIMITS: 'off',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.resume()
  child.stderr.resume()
  const exited = once(child, 'exit')
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    assert.equal(child.exitCode, null, 'it serves')
    await sleep(50)
  }
  return { group: -(child.pid as number), exited }
}

for (const script of [['start'], ['dev']])
  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    test(`npm run ${script}: ${signal} to all its processes, as Ctrl+C or a closed terminal sends it, leaves no PostgreSQL`, {
      timeout,
    }, async (t) => {
      const dataDir = await dataFolder()
      const { group, exited } = await asPeopleDo(script, dataDir)
      const pid = await postmasterPid(dataDir)
      assert.ok(!isGone(pid))
      t.after(() => {
        if (!isGone(pid)) process.kill(pid, 'SIGINT')
      })
      process.kill(group, signal)
      await exited
      const deadline = performance.now() + 20_000
      while (!isGone(pid)) {
        assert.ok(performance.now() < deadline, 'PostgreSQL still runs')
        await sleep(20)
      }
    })

test('a second signal, a while after the first, gives up waiting', { timeout }, async (t) => {
  const dataDir = await dataFolder()
  const server = await serveProcess({ TRIVET_DATA: dataDir })
  const pid = await postmasterPid(dataDir)
  t.after(() => {
    if (!isGone(pid)) process.kill(pid, 'SIGINT')
  })
  const socket = await rawConnection(server.urls.storage)
  socket.write(headOf('POST /auth/login', { 'content-type': 'application/json', 'content-length': 100 }))
  process.kill(server.pid, 'SIGTERM')
  process.kill(server.pid, 'SIGTERM')
  while (server.lines.at(-1)?.msg !== 'draining') await sleep(10)
  // The same signal once more within a moment is what a group of processes gets.
  await sleep(1_500)
  process.kill(server.pid, 'SIGTERM')
  const [code] = await server.exited
  assert.equal(code, 1)
  socket.destroy()
})

/** Something goes wrong where nobody expects it. */
const accident = (what: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${what} })`)}`

for (const [name, what] of [
  ['an exception that nobody caught', `throw new Error('out of the blue')`],
  ['a rejection that nobody took', `Promise.reject(new Error('out of the blue'))`],
] as const)
  test(`${name} is logged with its stack, requests in flight are finished, and the exit code tells`, {
    timeout,
  }, async () => {
    const dataDir = await dataFolder()
    const server = await serveProcess({ TRIVET_DATA: dataDir, NODE_OPTIONS: accident(what) })
    const storage = client(server.urls.storage)
    const { email } = await storageOwner({ storage })
    const pid = await postmasterPid(dataDir)
    const inFlight = Array.from({ length: 5 }, () =>
      storage('POST /auth/login', { body: { email, password: 'correct horse' } }),
    )
    while (!/requests_in_flight\{[^}]*\} 5$/m.test((await storage('GET /metrics')).text)) await sleep(1)
    process.kill(server.pid, 'SIGUSR2')
    for (const { status } of await Promise.all(inFlight)) assert.equal(status, 200)
    const [code] = await server.exited
    assert.equal(code, 1)
    const fatal = server.lines.find(({ level }) => level === 'fatal') as unknown as {
      msg: string
      err: { stack: string }
    }
    assert.equal(fatal.msg, 'unexpected error')
    assert.match(fatal.err.stack, /Error: out of the blue\n +at /)
    assert.equal(server.lines.at(-1)?.msg, 'stopped')
    assert.ok(isGone(pid))
  })

test('with a proxy in front a node says that it is leaving, serves meanwhile, and then ends each connection with an answer', {
  timeout,
}, async () => {
  const dataDir = await dataFolder()
  const server = await serveProcess({ TRIVET_DATA: dataDir, TRUST_PROXY: '1', DRAIN_SECONDS: '2' })
  const storage = client(server.urls.storage)
  // Kept open before the signal: it is served after it, and told that it ends.
  const kept = await rawConnection(server.urls.storage)
  const ask = async () => {
    kept.write(headOf('GET /buckets', {}))
    const [chunk] = (await once(kept, 'data')) as [Buffer]
    return chunk.toString()
  }
  assert.doesNotMatch(await ask(), /connection: close/i)
  process.kill(server.pid, 'SIGTERM')
  while ((await storage('GET /readyz')).status !== 503) await sleep(10)
  assert.equal((await storage('GET /healthz')).status, 200)
  assert.equal((await storage('GET /buckets')).status, 401)
  assert.match(await ask(), /^HTTP\/1\.1 401 /)
  // When it listens no more, what is open is still served.
  while (
    await fetch(`${server.urls.storage}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await sleep(10)
  const last = await ask()
  assert.match(last, /^HTTP\/1\.1 401 /)
  assert.match(last, /connection: close/i)
  if (!kept.closed) await once(kept, 'close')
  const [code] = await server.exited
  assert.equal(code, 0)
})
