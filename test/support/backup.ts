import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { uuidv7 } from '#platform/ids.ts'
import { run } from '#src/commands/program.ts'
import { type Booted, type BootOptions, boot } from './boot.ts'
import { freshDatabase } from './cluster.ts'
import { inventoryAdmin, publisher, storageOwner } from './factories.ts'
import { temporaryFolder } from './folders.ts'
import type { OpenSql } from './sql.ts'

export const folder = await temporaryFolder('backup')

export type Environment = Record<string, string>

/** Runs the command with this environment in this process, because starting one for each case would take minutes. */
export const trivet = async (args: string[], env: Environment) => {
  const before = { ...process.env }
  const wrote = { stdout: '', stderr: '' }
  const output = (name: keyof typeof wrote) => ({
    write(text: string) {
      wrote[name] += text
    },
  })
  Object.assign(process.env, env)
  try {
    const code = await run(args, { stdout: output('stdout'), stderr: output('stderr') })
    return { code, ...wrote }
  } finally {
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** Starts the command as a process, so that it can be killed. */
export const start = (args: string[], env: Environment) => {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => void child.kill('SIGKILL'))
  return child
}
export const exitOf = async (child: ChildProcess) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk
    })
  const [code, signal] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode, null]
  return { code: code ?? signal, text }
}

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

type Manifest = {
  tables: { name: string; columns: string[]; rows: number; file: { bytes: number; sha256: string } }[]
  [name: string]: unknown
}
export const readManifest = async (backup: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))

/** Changes a manifest and its checksum. */
export const forge = async (backup: string, change: (manifest: Manifest) => void) => {
  const { checksum: _, ...manifest } = await readManifest(backup)
  change(manifest as Manifest)
  const checksum = sha256(JSON.stringify(manifest))
  await writeFile(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, checksum }))
}

export const flip = async (path: string) => {
  const bytes = await readFile(path)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  await writeFile(path, bytes)
}

/** The environment in which an operator runs commands on this system. */
export const environmentOf = (system: Booted): Environment => ({
  DATABASE_URL: system.databaseUrl,
  TRIVET_DATA: system.dataDir,
  BLOBS_URL: 'file:',
  TRIVET_SECRET: '',
})

/** A system with its secret and its blobs in the data folder. */
export const bootWithFolder = (options: BootOptions = {}) =>
  boot({ ...options, env: { TRIVET_SECRET: '', BLOBS_URL: 'file:', ...options.env } })

type Owner = Awaited<ReturnType<typeof storageOwner>>

/** A system with data of every service, and a good backup of it. */
export const backedUpSystem = async (prepare = async (_owner: Owner) => {}) => {
  const source = await bootWithFolder()
  const owner = await storageOwner(source)
  await prepare(owner)
  const bucket = (await owner.api('POST /buckets', { body: { name: 'kept' } })).body.id as string
  for (const size of [5, 9_000, 70_000, 1_500_000])
    await owner.api(`PUT /buckets/${bucket}/objects/${size}.bin`, { raw: randomBytes(size) })
  await publisher(source)
  await inventoryAdmin(source)
  const env = environmentOf(source)
  const good = join(folder, 'good')
  const saved = await trivet(['backup', '--to', good], env)
  assert.equal(saved.code, 0, saved.stderr)
  return { owner, bucket, env, good, saved }
}

/** An empty system to restore into. */
export const target = async (env: Environment = {}) => {
  const { url, drop } = await freshDatabase()
  const name = `target-${uuidv7()}`
  after(drop)
  return { DATABASE_URL: url, TRIVET_DATA: join(folder, name), BLOBS_URL: 'file:', TRIVET_SECRET: '', ...env }
}
export const bytesHeld = async (env: Environment) => {
  const names = await readdir(join(env.TRIVET_DATA!, 'blobs'), { recursive: true }).catch(() => [])
  return names.filter((name) => name.length > 36)
}

export const aBlob = async (backup: string) => {
  const names = await readdir(join(backup, 'blobs'), { recursive: true })
  return join(backup, 'blobs', names.find((name) => name.length > 36)!)
}

export const bootRestored = async (env: Environment, more: Environment = {}) => {
  const { DATABASE_URL: url = '', ...rest } = env
  return boot({ database: { url }, env: { ...rest, ...more } })
}
export const startOnce = async (env: Environment) => (await bootRestored(env)).close()
export const secretIn = (env: Environment, name = 'secret') => readFile(join(env.TRIVET_DATA!, name), 'utf8')

/** Whether a statement waits for a lock on this table. */
export const isHeldUp = async (sql: OpenSql, table: string) =>
  (await sql`select 1 from pg_locks where relation = ${table}::regclass and not granted`).length > 0
