import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Cluster } from '#platform/embedded-postgres/cluster.ts'
import { processesBelow, signalAll } from '#test/faults/processes.ts'
import { eventually, until } from '#test/support/eventually.ts'
import { openSql } from '#test/support/sql.ts'
import { notes, postmasterPid, query, scene } from './fixtures/cluster-scene.ts'

const ROUNDS = 40
/** With io workers it hangs sooner. */
const settings = { io_method: 'worker' }
const startupIn = async (dataDir: string) => {
  const postmaster = await postmasterPid(dataDir)
  const all = postmaster ? await processesBelow(postmaster) : []
  return { others: all.filter(({ role }) => role === 'io worker'), startup: all.find(isStartup) }
}
const isStartup = ({ role }: { role: string }) => role === 'startup'

/** Crashes the database with something to replay. */
const crash = async (cluster: Cluster) => {
  const sql = await openSql(cluster.connection)
  await sql.unsafe(`
    create table if not exists work (n int, text text);
    insert into work select n, repeat('x', 100) from generate_series(1, 20000) n`)
  const [row] = await sql.unsafe('select pg_backend_pid() as pid')
  process.kill(Number(row!.pid), 'SIGKILL')
  sql.destroy()
}

/** Kills an io worker, and then the startup process of the recovery; returns whether there still was one. */
const killStartup = async (dataDir: string) => {
  for (let attempt = 0; attempt < 500; attempt++) {
    const { startup, others } = await startupIn(dataDir)
    if (!startup) continue
    signalAll([...others.slice(0, 1).map(({ pid }) => pid), startup.pid], 'SIGKILL')
    return true
  }
  return false
}

const listeningLog = () => {
  const said: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  return { log, warned: () => said.filter(({ msg }) => /to start it again$/.test(msg)), said }
}

test('the database comes back however often its startup process is killed in recovery, with one warning when it hung', {
  timeout: 400_000,
}, async (t) => {
  const { dataDir, open } = await scene(t)
  const { log, warned } = listeningLog()
  const cluster = await open({ log, settings })
  for (let round = 1; round <= ROUNDS && warned().length === 0; round++) {
    await crash(cluster)
    await killStartup(dataDir)
    await eventually(() => notes(cluster), { withinMs: 30_000 })
  }
  assert.deepEqual(await notes(cluster), ['kept'])
  for (const { msg } of warned())
    assert.match(msg, /\(no startup process\); stopping process \d+ to start it again$/)
  assert.ok(warned().length <= 1)
})

test('a start that finds a database that hangs in recovery replaces it', { timeout: 400_000 }, async (t) => {
  const { dataDir, open, run } = await scene(t)
  const { log, warned } = listeningLog()
  for (let round = 1; round <= ROUNDS && warned().length === 0; round++) {
    const server = run('acknowledged')
    await server.ready
    const { connection } = await open({ purpose: 'operator' })
    await crash({ connection } as Cluster)
    server.child.kill('SIGKILL')
    await server.exited
    await killStartup(dataDir)
    const next = await open({ log, settings })
    assert.ok((await notes(next)).includes('acknowledged'))
    await next.close()
  }
})

test('a recovery in which nothing moves for a minute is replaced', {
  timeout: 240_000,
}, async (t) => {
  const { dataDir, open } = await scene(t)
  const { log, warned, said } = listeningLog()
  const cluster = await open({ log, settings })
  await crash(cluster)
  const before = await postmasterPid(dataDir)
  const { startup } = await eventually(
    async () => {
      const found = await startupIn(dataDir)
      assert.ok(found.startup)
      signalAll([found.startup.pid], 'SIGSTOP')
      return found
    },
    { everyMs: 0 },
  )
  const frozenAt = performance.now()
  await until('it is replaced', () => warned().length === 1, { withinMs: 120_000 })
  assert.ok(performance.now() - frozenAt > 59_000)
  assert.match(warned()[0]!.msg, /nothing has moved for 60 s/)
  await eventually(async () => assert.deepEqual(await notes(cluster), ['kept']))
  assert.notEqual(await postmasterPid(dataDir), before)
  assert.ok(startup)
  assert.ok(said.every(({ level }) => level < 50))
  await query(cluster, 'select count(*) from work')
})

test('a database that accepts connections and answers none is replaced, unless others still use it', {
  timeout: 240_000,
}, async (t) => {
  const { dataDir, open, tidying } = await scene(t)
  const { log, warned } = listeningLog()
  const first = await open({ purpose: 'operator' })
  const user = await openSql(first.connection)
  await user`select 1`
  const before = await postmasterPid(dataDir)
  process.kill(before!, 'SIGSTOP')
  tidying.push(() => signalAll([before!], 'SIGCONT'))
  await assert.rejects(open({ log }), /runs in .* but does not answer: stop that process\.$/)
  assert.deepEqual(warned(), [])
  user.destroy()
  const backends = (await processesBelow(before!)).filter(({ role }) => role === 'backend')
  signalAll(
    backends.map(({ pid }) => pid),
    'SIGKILL',
  )
  const next = await open({ log })
  assert.match(warned()[0]!.msg, /has not answered for 3\d s/)
  assert.deepEqual(await notes(next), ['kept'])
  assert.notEqual(await postmasterPid(dataDir), before)
})
