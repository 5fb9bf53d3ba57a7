import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#platform/db/database.ts'
import type { Connection } from '#platform/db/dial.ts'
import { migrate } from '#platform/db/migrations.ts'
import { openCluster } from '#platform/embedded-postgres/cluster.ts'
import { createJobs } from '#platform/jobs.ts'
import { createLogger } from '#platform/log.ts'
import { migrations } from '#src/services.ts'
import { startPostgres } from './postgres.ts'
import { openSql } from './sql.ts'

export type Address = Exclude<Connection, string>

const log = createLogger({ level: 'warn', pretty: true })
const template = 'trivet_template'

/** Starts a PostgreSQL with a migrated template database, from which a test file creates its own in a few milliseconds. */
export const startCluster = async (variant: 'embedded' | 'server') => {
  const folder = await mkdtemp(join(await databaseFolder(), 'db-'))
  await chmod(folder, 0o711) // the account of PostgreSQL must be able to pass through
  const wantsS3 = variant === 'server' || process.env.TRIVET_TEST_BLOBS === 's3'
  const s3 = wantsS3 ? await (await import('./s3.ts')).startS3() : null
  const running = variant === 'server' ? await startPostgres(folder) : await startEmbedded(folder)
  await makeTemplate(running.connection)
  return {
    environment: {
      TRIVET_TEST_DATABASE: JSON.stringify(running.connection),
      TRIVET_TEST_VARIANT: variant,
      ...(s3 ? { TRIVET_TEST_BLOBS: s3.endpoint } : {}),
    },
    async stop() {
      await running.close()
      await s3?.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

const room = 3 * 2 ** 30

/** In memory where there is room: creating a database, a thousand files, takes a tenth of the CPU time there. */
const databaseFolder = async () => {
  const { TRIVET_TEST_DATABASE_FOLDER: given } = process.env
  if (given) return given
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize >= room ? '/dev/shm' : tmpdir()
}

// Tests do not need durability, and many systems share this server. Everything else is as in production.
const startEmbedded = (folder: string) =>
  openCluster({
    dataDir: folder,
    purpose: 'operator',
    log,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  })

const administer = (address: Address) => openSql({ ...address, database: 'postgres' })

const makeTemplate = async (address: Address) => {
  const admin = await administer(address)
  await admin.unsafe(`create database ${template}`)
  await admin.end()
  const connection = { ...address, database: template }
  const db = await openDatabase(connection)
  await migrate(db, migrations, log)
  const jobs = createJobs(connection, db, log)
  await jobs.start([])
  await jobs.close()
  await db.close()
}

/** A new database, already migrated. */
export const freshDatabase = async () => {
  const address = JSON.parse(process.env.TRIVET_TEST_DATABASE ?? '{}') as Address
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const admin = await administer(address)
  // Copying files is cheaper than logging their pages, which is the default.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: urlOf({ ...address, database: name }),
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`).finally(() => admin.end())
    },
  }
}

export const urlOf = ({ host, port, user, database }: Address) =>
  host.startsWith('/')
    ? `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    : `postgres://${user}@${host}:${port}/${database}`
