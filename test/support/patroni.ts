import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAccount } from '#platform/embedded-postgres/account.ts'
import { processesBelow, signalAll } from '#test/faults/processes.ts'
import { debianProgram } from './debian.ts'
import { until } from './eventually.ts'
import { freePort } from './postgres.ts'
import { openSql } from './sql.ts'

const user = 'trivet'
/** Patroni gives up a primary that has not renewed its lease for this long. */
export const leaseSeconds = 20

/** Two PostgreSQL servers with a synchronous standby, managed by Patroni with etcd, behind HAProxy. All on loopback. */
export const startPatroni = async () => {
  const programs = {
    postgres: await debianProgram('postgres', 'postgresql'),
    etcd: await debianProgram('etcd', 'etcd-server'),
    patroni: await debianProgram('patroni', 'patroni'),
    haproxy: await debianProgram('haproxy', 'haproxy'),
  }
  const folder = await mkdtemp(join(tmpdir(), 'trivet-patroni-'))
  await chmod(folder, 0o711)
  const account = await databaseAccount(folder)
  const own = async (path: string) => account && (await chown(path, account.uid, account.gid))
  const makeFolder = async (name: string) => {
    const path = join(folder, name)
    await mkdir(path, { mode: 0o700 })
    await own(path)
    return path
  }
  const place = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    await own(path)
    return path
  }
  // It ends with this process, whatever ends that.
  const launch = (program: string, args: string[]) =>
    spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
      ...account,
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: folder },
      stdio: 'ignore',
    })
  const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (hasEnded(child)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const etcdData = await makeFolder('etcd')
  const startEtcd = () =>
    launch(programs.etcd, [
      ...['--data-dir', etcdData, '--name', 'one', '--log-level', 'error'],
      ...['--listen-client-urls', `http://127.0.0.1:${etcdPort}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${etcdPort}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-cluster', `one=http://127.0.0.1:${peerPort}`],
    ])
  let etcd = startEtcd()

  const makeNode = async (name: string) => {
    const [port, restPort] = [await freePort(), await freePort()]
    const data = join(await makeFolder(name), 'data')
    const config = {
      scope: 'trivet',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: leaseSeconds,
          loop_wait: 2,
          retry_timeout: 5,
          synchronous_mode: true,
          maximum_lag_on_failover: 2 ** 30,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: data,
        bin_dir: dirname(await realpath(programs.postgres)),
        pgpass: join(dirname(data), 'pgpass'),
        authentication: {
          superuser: { username: user, password: 'loopback' },
          replication: { username: 'replicator', password: 'loopback' },
          rewind: { username: 'rewinder', password: 'loopback' },
        },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: '', fsync: 'on' },
      },
    }
    // JSON is YAML.
    const path = await place(`${name}.yml`, JSON.stringify(config))
    const start = () => launch(programs.patroni, [path])
    let child = start()
    const get = async (what: string) =>
      fetch(`http://127.0.0.1:${restPort}/${what}`, { signal: AbortSignal.timeout(3_000) }).catch(() => null)
    /** PostgreSQL is no child of Patroni, and outlives it. */
    const postmaster = async () => {
      const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
      return Number.parseInt(text, 10) || undefined
    }
    const tree = async () => {
      const root = await postmaster()
      return root ? [root, ...(await processesBelow(root)).map(({ pid }) => pid)] : []
    }
    return {
      name,
      port,
      restPort,
      postmaster,
      isPrimary: async () => (await get('primary'))?.status === 200,
      isSynchronous: async () => (await get('synchronous'))?.status === 200,
      async switchover() {
        const response = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
          method: 'POST',
          body: JSON.stringify({ leader: name }),
        })
        await response.text()
      },
      /** The machine is gone, with all that ran on it. */
      async kill() {
        const pids = await tree()
        await end(child, 'SIGKILL')
        signalAll(pids, 'SIGKILL')
      },
      start() {
        child = start()
      },
      async freeze() {
        const pids = [child.pid as number, ...(await tree())]
        signalAll(pids, 'SIGSTOP')
        return () => signalAll(pids, 'SIGCONT')
      },
      async stop() {
        const pids = await tree()
        signalAll([child.pid as number, ...pids], 'SIGCONT')
        await end(child, 'SIGKILL')
        signalAll(pids, 'SIGKILL')
      },
    }
  }
  const nodes = [await makeNode('one'), await makeNode('two')] as const

  const backends = nodes.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  )
  const proxyConfig = await place(
    'haproxy.cfg',
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${proxyPort}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${backends.join('\n')}
`,
  )
  const haproxy = launch(programs.haproxy, ['-db', '-f', proxyConfig])

  const find = async (which: 'isPrimary' | 'isSynchronous') => {
    for (const node of nodes) if (await node[which]()) return node
    return null
  }
  /** What Patroni says of the standby may be old: it is synchronous if the primary waits for it. */
  const isFollowed = async ({ port }: (typeof nodes)[number]) => {
    const sql = await openSql(`postgres://${user}@127.0.0.1:${port}/postgres`).catch(() => null)
    if (!sql) return false
    try {
      const found = await sql`
        select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`
      return found.length > 0
    } catch {
      return false
    } finally {
      sql.destroy()
    }
  }
  const isHealthy = async () => {
    const primary = await find('isPrimary')
    return primary !== null && (await find('isSynchronous')) !== null && isFollowed(primary)
  }
  return {
    nodes,
    urls: {
      proxy: `postgres://${user}@127.0.0.1:${proxyPort}/postgres`,
      hosts: `postgres://${user}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`,
    },
    primary: async () => (await find('isPrimary'))!,
    standby: async () => (await find('isSynchronous'))!,
    /** For longer than Patroni takes to notice that it is not. */
    healthy: () =>
      until(
        'there are a primary and a synchronous standby',
        async () => {
          for (let times = 0; times < 4; times++) {
            if (!(await isHealthy())) return false
            await sleep(1_000)
          }
          return true
        },
        { withinMs: 120_000, everyMs: 250 },
      ),
    etcd: {
      stop: () => end(etcd, 'SIGKILL'),
      start() {
        etcd = startEtcd()
      },
    },
    async stop() {
      for (const node of nodes) await node.stop()
      await end(haproxy, 'SIGKILL')
      await end(etcd, 'SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
