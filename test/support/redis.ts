import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianProgram } from '#test/support/debian.ts'

/** A Redis without persistence, on a Unix socket of its own. */
export const startRedis = async () => {
  const program = await debianProgram('redis-server', 'redis-server')
  const folder = await mkdtemp(join(tmpdir(), 'trivet-redis-'))
  const socket = join(folder, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'no']
  let server = await launch(program, args, socket)

  /** Stops the process. `up` starts another one on the same socket. */
  const down = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGTERM')
    server.kill('SIGCONT')
    await once(server, 'exit')
  }
  return {
    url: `unix://${socket}`,
    down,
    async up() {
      server = await launch(program, args, socket)
    },
    /** Connected but not responding, as after packet loss. */
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async stop() {
      await down()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const launch = async (program: string, args: string[], socket: string) => {
  const server = spawn(program, args, { stdio: 'ignore' })
  const endWithUs = () => server.kill('SIGKILL')
  process.once('exit', endWithUs)
  server.once('exit', () => process.off('exit', endWithUs))
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(socket)) return server
    if (server.exitCode !== null) throw new Error(`redis-server ended with code ${server.exitCode}`)
    await sleep(25)
  }
  server.kill('SIGKILL')
  throw new Error('redis-server did not start within 5 seconds')
}

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => probe.end(() => resolve(true)))
    probe.once('error', () => resolve(false))
  })
