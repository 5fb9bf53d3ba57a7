import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { requestsInFlight } from '#test/support/metrics.ts'
import { freePort } from '#test/support/postgres.ts'
import { isRunning, postmasterPid } from '#test/support/postmaster.ts'
import { headOf, rawConnection } from '#test/support/sockets.ts'
import { holdSignIns } from './fixtures/held-requests.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const timeout = 180_000

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`${signal} stops a server on a loopback address cleanly and at once, with its PostgreSQL`, {
    timeout,
  }, async () => {
    const dataDir = await temporaryFolder('stop')
    const server = await serveProcess({ TRIVET_DATA: dataDir })
    const pid = await postmasterPid(dataDir)
    const { code, errors } = await server.stop(signal)
    assert.equal(code, 0, errors)
    assert.deepEqual(
      server.lines.slice(-2).map(({ msg }) => msg),
      ['draining', 'stopped'],
    )
    assert.equal(server.lines.at(-2)?.noticeMs, 0)
    await until('PostgreSQL has stopped', () => !isRunning(pid))
  })

/** Starts an npm script in a process group of its own, as a terminal does. */
const startScript = async (script: string[], dataDir: string) => {
  const port = await freePort()
  const child = spawn('npm', ['run', ...script], {
    env: {
      ...process.env,
      TRIVET_DATA: dataDir,
      TRIVET_SERVICES: 'storage',
      STORAGE_PORT: String(port),
      S3_PORT: '0',
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
  await until('the server is ready', async () => child.exitCode !== null || (await isReady()))
  assert.equal(child.exitCode, null, 'the server has exited')
  return { group: -(child.pid as number), exited }
}

for (const script of [['start'], ['dev']])
  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    test(`npm run ${script}: ${signal} to the process group, as from Ctrl+C or a closed terminal, also stops PostgreSQL`, {
      timeout,
    }, async (t) => {
      const dataDir = await temporaryFolder('stop')
      const { group, exited } = await startScript(script, dataDir)
      const pid = await postmasterPid(dataDir)
      assert.ok(isRunning(pid))
      t.after(() => {
        if (isRunning(pid)) process.kill(pid, 'SIGINT')
      })
      process.kill(group, signal)
      await exited
      await until('PostgreSQL has stopped', () => !isRunning(pid))
    })

test('a second signal, more than a second after the first, stops without waiting for requests', {
  timeout,
}, async (t) => {
  const dataDir = await temporaryFolder('stop')
  const server = await serveProcess({ TRIVET_DATA: dataDir })
  const pid = await postmasterPid(dataDir)
  t.after(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGINT')
  })
  const socket = await rawConnection(server.urls.storage)
  socket.write(headOf('POST /auth/login', { 'content-type': 'application/json', 'content-length': 100 }))
  const storage = client(server.urls.storage)
  await until('the request is in flight', async () => (await requestsInFlight(storage)) === 1)
  process.kill(server.pid, 'SIGTERM')
  process.kill(server.pid, 'SIGTERM')
  await until('the server is draining', () => server.lines.at(-1)?.msg === 'draining')
  // Signals within one second of the first are ignored, because a process group may receive the same signal twice.
  await sleep(1_500)
  process.kill(server.pid, 'SIGTERM')
  const [code] = await server.exited
  assert.equal(code, 1)
  socket.destroy()
})

/** Makes a process fail on SIGUSR2. */
const failOnSignal = (what: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${what} })`)}`

for (const [name, what] of [
  ['an uncaught exception', `throw new Error('out of the blue')`],
  ['an unhandled rejection', `Promise.reject(new Error('out of the blue'))`],
] as const)
  test(`${name} is logged with its stack, requests in flight finish, and the exit code is 1`, {
    timeout,
  }, async () => {
    const dataDir = await temporaryFolder('stop')
    const server = await serveProcess({ TRIVET_DATA: dataDir, NODE_OPTIONS: failOnSignal(what) })
    const storage = client(server.urls.storage)
    const { email } = await storageOwner({ storage })
    const pid = await postmasterPid(dataDir)
    const finish = await holdSignIns(server.urls.storage, email)
    process.kill(server.pid, 'SIGUSR2')
    await until('the server is draining', () => server.lines.at(-1)?.msg === 'draining')
    await finish()
    const [code] = await server.exited
    assert.equal(code, 1)
    const fatal = server.lines.find(({ level }) => level === 'fatal') as unknown as {
      msg: string
      err: { stack: string }
    }
    assert.equal(fatal.msg, 'unexpected error')
    assert.match(fatal.err.stack, /Error: out of the blue\n +at /)
    assert.equal(server.lines.at(-1)?.msg, 'stopped')
    await until('PostgreSQL has stopped', () => !isRunning(pid))
  })

test('behind a proxy a node that stops first reports not ready, keeps serving, and closes each connection after a response', {
  timeout,
}, async () => {
  const dataDir = await temporaryFolder('stop')
  const server = await serveProcess({ TRIVET_DATA: dataDir, TRUST_PROXY: '1', DRAIN_SECONDS: '2' })
  const storage = client(server.urls.storage)
  // A connection from before the signal is still served, and told that it is closed.
  const kept = await rawConnection(server.urls.storage)
  const ask = async () => {
    kept.write(headOf('GET /buckets', {}))
    const [chunk] = (await once(kept, 'data')) as [Buffer]
    return chunk.toString()
  }
  assert.doesNotMatch(await ask(), /connection: close/i)
  process.kill(server.pid, 'SIGTERM')
  await until('the node is not ready', async () => (await storage('GET /readyz')).status === 503)
  assert.equal((await storage('GET /healthz')).status, 200)
  assert.equal((await storage('GET /buckets')).status, 401)
  assert.match(await ask(), /^HTTP\/1\.1 401 /)
  // Once it refuses new connections, it still serves those that are open.
  await until('new connections are refused', () =>
    fetch(`${server.urls.storage}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  const last = await ask()
  assert.match(last, /^HTTP\/1\.1 401 /)
  assert.match(last, /connection: close/i)
  if (!kept.closed) await once(kept, 'close')
  const [code] = await server.exited
  assert.equal(code, 0)
})

/** One request on a connection of its own: its status, or why there is none. */
const askOnce = (url: string) =>
  new Promise<string>((resolve) => {
    const sent = request(url, { agent: false }, (res) => {
      res.resume()
      res.once('end', () => resolve(String(res.statusCode)))
      res.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })

test('whoever opens connections while a node stops is served or refused, and never cut off', {
  timeout,
}, async () => {
  const dataDir = await temporaryFolder('stop')
  const server = await serveProcess({ TRIVET_DATA: dataDir, TRUST_PROXY: '1', DRAIN_SECONDS: '1' })
  const outcomes = new Map<string, number>()
  const keepAsking = async () => {
    for (let last = ''; last !== 'ECONNREFUSED'; ) {
      last = await askOnce(`${server.urls.storage}/healthz`)
      outcomes.set(last, (outcomes.get(last) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: 50 }, keepAsking)
  await until('all are being served', () => (outcomes.get('200') ?? 0) > 500)
  process.kill(server.pid, 'SIGTERM')
  await Promise.all(clients)
  const [code] = await server.exited
  assert.equal(code, 0)
  assert.deepEqual([...outcomes.keys()].sort(), ['200', 'ECONNREFUSED'], JSON.stringify([...outcomes]))
})
