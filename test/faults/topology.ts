import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'
import { startPgbouncer } from '#test/support/pgbouncer.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { isAlive } from './processes.ts'

export type TopologyName = 'embedded' | 'server' | 'pooler'
type Process = Awaited<ReturnType<typeof serveProcess>>
/** A server process, which is replaced when it ends. */
export type Node = { process: Process; hasEnded: boolean }

/** The database. Embedded PostgreSQL restarts on its own; a server is restarted by the test. */
type Postgres = {
  postmaster(): Promise<number>
  /** Stops it and, if it does not restart on its own, starts it after `downMs`. */
  restart(signal: NodeJS.Signals, downMs: number): Promise<string>
}

const secret = 'a secret for fault campaigns only'
const startPatienceMs = 45_000
const stopPatienceMs = 15_000

/** Starts one or two server processes with a PostgreSQL of their own in temporary folders. */
export const openTopology = async (name: TopologyName, size: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-campaign-'))
  await chmod(folder, 0o711)
  const server = name === 'embedded' ? null : await startPostgres(await subfolder(folder, 'database'))
  const pooler = server && name === 'pooler' ? await startPgbouncer(server.connection) : null
  const address = pooler?.address ?? server?.connection
  const environmentOf = (index: number): Record<string, string> => ({
    TRIVET_DATA: join(folder, `node${index}`),
    BLOBS_URL: `file:${join(folder, 'blobs')}`,
    TRIVET_SECRET: secret,
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'info',
    ...(address
      ? { DATABASE_URL: `postgres://${address.user}@${address.host}:${address.port}/postgres` }
      : {}),
  })

  const start = async (index: number): Promise<Node> => {
    const node: Node = { process: await serveProcess(environmentOf(index)), hasEnded: false }
    void node.process.exited.then(() => {
      node.hasEnded = true
    })
    return node
  }
  const nodes = await Promise.all(Array.from({ length: size }, (_, index) => start(index)))

  const embeddedPid = async () => {
    const data = await realpath(join(folder, 'node0', 'postgres'))
    return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  }
  const postgres: Postgres = server
    ? {
        postmaster: async () => server.pid(),
        async restart(signal, downMs) {
          await server.down(signal)
          await sleep(downMs)
          await server.up()
          return `down for ${downMs} ms`
        },
      }
    : {
        postmaster: embeddedPid,
        async restart(signal) {
          const pid = await embeddedPid()
          process.kill(pid, signal)
          while (await isAlive(pid)) await sleep(10)
          return `process ${pid}`
        },
      }

  return {
    name,
    nodes,
    postgres,
    pooler,
    urls: () => nodes.map(({ process }) => process.urls),
    /** Replaces a process that has ended, and retries if the start fails, as a service manager would. */
    async restartNode(index: number) {
      for (const deadline = Date.now() + startPatienceMs; ; await sleep(500)) {
        try {
          nodes[index] = await start(index)
          return
        } catch (error) {
          if (Date.now() > deadline) throw error
        }
      }
    },
    async verify() {
      const env = { ...process.env, ...environmentOf(0) }
      const run = promisify(execFile)(process.execPath, ['src/main.ts', 'verify'], { env, timeout: 120_000 })
      return run.then(
        () => null,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => `verify: ${stdout}${stderr}`,
      )
    },
    async close() {
      const left = name === 'embedded' ? await embeddedPid().catch(() => 0) : 0
      await Promise.all(nodes.map(endNode))
      await pooler?.stop()
      await server?.close()
      if (left && (await isAlive(left))) process.kill(left, 'SIGQUIT')
      while (left && (await isAlive(left))) await sleep(20)
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
export type Topology = Awaited<ReturnType<typeof openTopology>>

const endNode = async ({ process }: Node) => {
  const impatience = setTimeout(() => void process.stop('SIGKILL'), stopPatienceMs)
  await process.stop()
  clearTimeout(impatience)
}

const subfolder = async (parent: string, name: string) => {
  const folder = await mkdtemp(join(parent, `${name}-`))
  await chmod(folder, 0o711)
  return folder
}
