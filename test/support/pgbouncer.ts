import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseAccount } from '#platform/embedded-postgres/account.ts'
import { debianProgram } from './debian.ts'
import { freePort, responding } from './postgres.ts'

/** PgBouncer in transaction mode in front of a server: session state does not survive a transaction. */
export const startPgbouncer = async (server: { host: string; port: number; user: string }) => {
  const program = await debianProgram('pgbouncer', 'pgbouncer')
  const folder = await mkdtemp(join(tmpdir(), 'trivet-pgbouncer-'))
  const account = await databaseAccount(folder)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(
    config,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 500
server_login_retry = 1
`,
  )
  if (account) {
    await chown(folder, account.uid, account.gid)
    await chown(config, account.uid, account.gid)
  }
  // It ends with this process, whatever ends that: a file that fails while it is loaded stops nothing itself.
  const launch = () =>
    spawn('setpriv', ['--pdeathsig', 'KILL', program, '-q', config], {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    })
  let pooler = launch()
  await responding({ host: '127.0.0.1', port })

  const down = async (signal: NodeJS.Signals) => {
    if (pooler.exitCode !== null || pooler.signalCode !== null) return
    const exited = once(pooler, 'exit')
    pooler.kill(signal)
    await exited
  }
  return {
    address: { ...server, host: '127.0.0.1', port },
    down,
    async up() {
      pooler = launch()
      await responding({ host: '127.0.0.1', port })
    },
    async stop() {
      await down('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
