import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { openPlatform } from '#platform/platform.ts'
import { migrations } from '#src/system.ts'
import { storage } from '#storage/app.ts'
import { client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { storageOwner } from '#test/support/factories.ts'

const rounds = 4
const workers = 6
const sizes = [10, 20_000, 300_000]

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const hash = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const bytesFor = (name: string, size: number) => Buffer.alloc(size, `${name} `)
const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T

test('kill -9 at any moment loses nothing acknowledged and shows nothing partial', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trivet-crash-'))
  const database = await freshDatabase()
  const port = await freePort()
  const env = {
    ...process.env,
    TRIVET_DATA: dataDir,
    DATABASE_URL: database.url,
    TRIVET_SERVICES: 'storage',
    TRIVET_SECRET: 'a secret for tests only',
    STORAGE_PORT: String(port),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  let server: ChildProcess | null = null
  const start = async () => {
    server = spawn(process.execPath, ['src/main.ts', 'serve'], { env, stdio: 'ignore' })
    for (let tries = 0; tries < 200; tries++) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (ready?.ok) return
      await sleep(50)
    }
    throw new Error('the server did not start')
  }
  const kill = async () => {
    const ended = server && once(server, 'exit')
    server?.kill('SIGKILL')
    await ended
  }
  t.after(async () => {
    await kill()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })

  await start()
  const { api, token } = await storageOwner({ storage: client(`http://127.0.0.1:${port}`) })
  const created = await api('POST /buckets', { body: { name: 'crash', versioningEnabled: false } })
  const root = `/buckets/${created.body.id}`

  /** What each key must hold: the hash of its bytes or null, and what an unanswered request may have made of it. */
  const expected = new Map<string, { known: string | null; maybe: string | null | undefined }>()
  let serial = 0
  let acknowledged = 0

  const hashAt = async (key: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${root}/objects/${key}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(answer.status === 200 || answer.status === 404, `${key}: ${answer.status}`)
    return answer.status === 200 ? hash(bytes) : null
  }

  const act = async (key: string, after: string | null, send: () => Promise<number[]>) => {
    const state = expected.get(key) ?? { known: null, maybe: undefined }
    expected.set(key, state)
    state.maybe = after
    const statuses = await send()
    if (statuses.every((status) => status < 300)) state.known = after
    else assert.ok(statuses.at(-1) === 404, `${key}: ${statuses}`)
    state.maybe = undefined
    acknowledged++
  }

  const put = (key: string) => {
    const bytes = bytesFor(`${key}#${++serial}`, pick(sizes))
    return act(key, hash(bytes), async () => [
      (await api(`PUT ${root}/objects/${key}`, { raw: bytes as never })).status,
    ])
  }
  const remove = (key: string) =>
    act(key, null, async () => [
      (await api(`DELETE ${root}/objects/${key}${pick(['', '?permanent=true'])}`)).status,
    ])
  const inParts = (key: string) => {
    const parts = [bytesFor(`${key}#${++serial}a`, pick(sizes)), bytesFor(`${key}#${serial}b`, pick(sizes))]
    return act(key, hash(Buffer.concat(parts)), async () => {
      const { body, status } = await api(`POST ${root}/multipart/initiate`, { body: { objectKey: key } })
      const statuses = [status]
      for (const [index, raw] of parts.entries())
        statuses.push(
          (await api(`PUT ${root}/multipart/${body.uploadId}/parts/${index + 1}`, { raw: raw as never }))
            .status,
        )
      statuses.push((await api(`POST ${root}/multipart/${body.uploadId}/complete`, { body: {} })).status)
      return statuses
    })
  }

  /** A delete that can be taken back, and is. */
  const removeAndRecover = async (key: string) => {
    const before = expected.get(key)?.known ?? null
    if (before === null) return put(key)
    await act(key, null, async () => [(await api(`DELETE ${root}/objects/${key}`)).status])
    return act(key, before, async () => {
      const { status } = await api(`POST ${root}/objects/${key}/recover`)
      assert.equal(status, 200, 'what was deleted can be recovered')
      return [status]
    })
  }

  /** Uploads that are under way: what each part must be, or may be if its sending was not answered. */
  type Session = {
    parts: Map<number, { known: string | null; maybe: string }>
    aborting: boolean
    gone: boolean
  }
  const sessions = new Map<string, Session>()
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
  const contents = new Map<string, Buffer>()

  const partByPart = async (key: string) => {
    const { body } = await api(`POST ${root}/multipart/initiate`, { body: { objectKey: `${key}/parts` } })
    const session: Session = { parts: new Map(), aborting: false, gone: false }
    sessions.set(body.uploadId, session)
    for (const n of [1, 2, 2, 3]) {
      const raw = bytesFor(`${key}#${++serial}`, pick(sizes))
      contents.set(md5(raw), raw)
      const part = { known: session.parts.get(n)?.known ?? null, maybe: md5(raw) }
      session.parts.set(n, part)
      const sent = await api(`PUT ${root}/multipart/${body.uploadId}/parts/${n}`, { raw: raw as never })
      assert.deepEqual([sent.status, sent.body.etag], [200, part.maybe])
      part.known = part.maybe
      acknowledged++
    }
    if (Math.random() < 0.5) return
    session.aborting = true
    assert.equal((await api(`DELETE ${root}/multipart/${body.uploadId}`)).status, 200)
    session.gone = true
    acknowledged++
  }

  type Listed = { partNumber: number; etag: string }
  const checkSession = async (uploadId: string, { parts, aborting, gone }: Session) => {
    const { body } = await api(`GET ${root}/multipart/${uploadId}`)
    if (gone) assert.equal(body.status, 'failed')
    if (body.status === 'failed') {
      assert.ok(aborting, 'nobody gave it up')
      assert.deepEqual(body.parts, [])
      return
    }
    const listed = new Map((body.parts as Listed[]).map(({ partNumber, etag }) => [partNumber, etag]))
    for (const [n, { known, maybe }] of parts)
      assert.ok([known, maybe].includes(listed.get(n) ?? null), `part ${n} is not what was sent`)
    if (listed.size === 0) return
    const completed = await api(`POST ${root}/multipart/${uploadId}/complete`, { body: {} })
    assert.equal(completed.status, 201, completed.text)
    const again = await api(`POST ${root}/multipart/${uploadId}/complete`, { body: {} })
    assert.deepEqual([again.status, again.body.id], [200, completed.body.id])
    const whole = Buffer.concat([...listed.values()].map((etag) => contents.get(etag) as Buffer))
    assert.equal(await hashAt(completed.body.object_key), hash(whole))
  }

  const work = async (worker: number) => {
    const actions = [put, put, put, inParts, partByPart, remove, removeAndRecover]
    for (;;)
      try {
        await pick(actions)(`w${worker}/k${Math.floor(Math.random() * 4)}`)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return
      }
  }

  const check = async () => {
    for (const [key, state] of expected) {
      const found = await hashAt(key)
      const allowed = state.maybe === undefined ? [state.known] : [state.known, state.maybe]
      assert.ok(allowed.includes(found), `${key} holds something that was never acknowledged or sent`)
      Object.assign(state, { known: found, maybe: undefined })
    }
    for (const [uploadId, session] of sessions) await checkSession(uploadId, session)
    sessions.clear()
  }

  const untilAnswered = async (count: number) => {
    while (acknowledged < count && !t.signal.aborted) await sleep(10)
  }
  for (let round = 0; round < rounds; round++) {
    const working = Promise.all(Array.from({ length: workers }, (_, n) => work(n)))
    // However slow the machine is, something has been answered in every round.
    await Promise.race([working, untilAnswered(acknowledged + 5)])
    await sleep(Math.random() * 700)
    await kill()
    await working
    await start()
    await check()
  }

  const config = readConfig(env, dataDir)
  const log = createLogger({ level: 'fatal', pretty: true })
  const platform = await openPlatform({ config, clock: systemClock, log, purpose: 'operator', migrations })
  const findings = await storage.verify(storage.context(platform))
  await platform.close()
  assert.deepEqual(findings, [])
})
