import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ListenerName } from '#platform/config.ts'

/** The whole product as a newcomer starts it, in a process of its own with a data folder of its own. */
export const startTrivet = async (env: Record<string, string> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trivet-bench-'))
  await chmod(dataDir, 0o711)
  const server = spawn(process.execPath, ['src/main.ts', 'serve'], {
    env: {
      ...process.env,
      TRIVET_DATA: dataDir,
      STORAGE_PORT: '0',
      S3_PORT: '0',
      PUBLISHING_PORT: '0',
      INVENTORY_PORT: '0',
      RATE_LIMITS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const urls = await new Promise<Record<ListenerName, string>>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`serve ended with code ${code}`)))
    const lines = createInterface({ input: server.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; services: { name: ListenerName; url: string }[] }
      if (entry.msg !== 'serving') return
      // From here on its lines are let through unread: reading them would cost what is to be measured.
      lines.close()
      server.stdout.resume()
      resolve(
        Object.fromEntries(entry.services.map(({ name, url }) => [name, url])) as Record<
          ListenerName,
          string
        >,
      )
    })
  })
  return {
    urls,
    dataDir,
    pid: server.pid as number,
    database: { host: join(dataDir, 'run'), port: 5432, user: 'trivet', database: 'trivet' },
    async stop() {
      server.kill('SIGTERM')
      await once(server, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type Trivet = Awaited<ReturnType<typeof startTrivet>>

/** A JSON request outside of any measurement. */
export const call = async (
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(url, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
