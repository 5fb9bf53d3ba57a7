import { constants } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { command, OperatorError } from '#platform/cli.ts'
import { systemClock } from '#platform/clock.ts'
import { type Config, loadConfig } from '#platform/config.ts'
import { dumpDatabase, loadDatabase } from '#platform/db/backup.ts'
import { openDatabase } from '#platform/db/database.ts'
import { openCluster } from '#platform/db/embedded/cluster.ts'
import { createLogger } from '#platform/log.ts'
import { migrations } from '../system.ts'

const log = createLogger({ level: 'warn', pretty: true })

/** Only the database: nothing is migrated, no secret is made. */
const withDatabase = async <T>(
  config: Config,
  work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
) => {
  const cluster = config.databaseUrl
    ? null
    : await openCluster({ dataDir: config.dataDir, purpose: 'operator', log })
  try {
    const db = await openDatabase(cluster?.connection ?? (config.databaseUrl as string))
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  } finally {
    await cluster?.close()
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const copySecret = async (from: string, to: string) => {
  if (!(await exists(join(from, 'secret'))) || (await exists(join(to, 'secret')))) return
  await copyFile(join(from, 'secret'), join(to, 'secret'), constants.COPYFILE_EXCL)
  await chmod(join(to, 'secret'), 0o600)
}

const copyBlobs = async (from: string, to: string) => {
  if (await exists(from))
    await cp(from, to, { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE })
}

const summary = (rows: readonly { rows: number }[]) =>
  `${rows.length} tables, ${rows.reduce((sum, table) => sum + table.rows, 0)} rows`

export const backupCommand = command({
  words: ['backup'],
  summary: 'Copy database, blobs and secret into an empty folder while the system runs',
  options: {
    to: {
      type: 'string',
      required: true,
      value: 'DIR',
      description: 'A folder that is empty or does not exist yet',
    },
  },
  examples: ['trivet backup --to /backups/2026-11-15'],
  run: async ({ to }) => {
    const config = loadConfig()
    const folder = resolve(to)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).length > 0)
      throw new OperatorError(`${folder} is not empty: name a new folder.`)
    await copySecret(config.dataDir, folder)
    // The database first: every blob that it names then is still there when the blobs are copied.
    const { tables } = await withDatabase(config, (db) =>
      dumpDatabase(db, migrations, folder, systemClock.now()),
    )
    if (config.blobs.kind === 'file') await copyBlobs(config.blobs.dir, join(folder, 'blobs'))
    process.stdout.write(`Backed up ${summary(tables)} to ${folder}.\n`)
  },
})

export const restoreCommand = command({
  words: ['restore'],
  summary: 'Take a backup into an empty system',
  options: {
    from: {
      type: 'string',
      required: true,
      value: 'DIR',
      description: 'A folder that `trivet backup` wrote',
    },
  },
  examples: ['TRIVET_DATA=./fresh trivet restore --from /backups/2026-11-15'],
  run: async ({ from }) => {
    const config = loadConfig()
    const folder = resolve(from)
    await mkdir(config.dataDir, { recursive: true })
    const { tables, createdAt } = await withDatabase(config, (db) =>
      loadDatabase(db, migrations, folder, log),
    )
    await copySecret(folder, config.dataDir)
    if (config.blobs.kind === 'file') await copyBlobs(join(folder, 'blobs'), config.blobs.dir)
    process.stdout.write(`Restored ${summary(tables)} as of ${createdAt}.\n`)
  },
})
