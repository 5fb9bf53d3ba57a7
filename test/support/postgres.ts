import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { databaseAccount } from '#platform/embedded-postgres/account.ts'
import { debianProgram } from './debian.ts'
import { openSql } from './sql.ts'

const run = promisify(execFile)
const user = 'trivet'

export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Debian's PostgreSQL server on a free loopback port. */
export const startPostgres = async (folder: string) => {
  const program = await debianProgram('postgres', 'postgresql')
  const account = await databaseAccount(folder)
  const data = join(folder, 'server')
  await mkdir(data, { mode: 0o700 })
  if (account) {
    await chown(folder, account.uid, account.gid)
    await chown(data, account.uid, account.gid)
  }
  const as = { ...account, cwd: '/' }
  await run(
    join(dirname(program), 'initdb'),
    ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    as,
  )
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '300',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const connection = { host: '127.0.0.1', port, user, database: 'postgres' }
  const launch = () => spawn(program, ['-D', data, ...args], { ...as, stdio: 'ignore' })
  let server = launch()
  await responding(connection)

  /** Stops the server: SIGINT is a fast shutdown, SIGQUIT an immediate one. */
  const down = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  return {
    connection,
    pid: () => server.pid as number,
    down,
    /** Starts it again, as soon as the child processes of one that was killed have ended. */
    async up() {
      for (;;) {
        server = launch()
        const exited = once(server, 'exit').then(() => false)
        const isUp = responding(connection).then(() => true)
        isUp.catch(() => {})
        if (await Promise.race([exited, isUp])) return
        await sleep(100)
      }
    },
    close: () => down('SIGINT'),
  }
}

export const responding = async (connection: { host: string; port: number }) => {
  for (let attempt = 0; ; attempt++) {
    try {
      const probe = await openSql({ ...connection, user, database: 'postgres' })
      return await probe.end()
    } catch (error) {
      if (attempt > 100) throw error
      await sleep(100)
    }
  }
}
