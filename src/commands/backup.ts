import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { type Manifest, writeManifest } from '#platform/backup/manifest.ts'
import { type Progress, startProgress } from '#platform/backup/progress.ts'
import { backUpSecret } from '#platform/backup/secret.ts'
import { backUpBlobs, leaveBlobs, nameBlobs } from '#platform/blobs/backup.ts'
import { examples, type Output } from '#platform/cli.ts'
import { systemClock } from '#platform/clock.ts'
import { type Config, loadConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { dumpDatabase } from '#platform/db/dump.ts'
import { secretOf } from '#platform/db/installation.ts'
import { withBackupLease } from '#platform/db/lease.ts'
import { OperatorError } from '#platform/errors.ts'
import { makeFolder } from '#platform/make-folder.ts'
import { sizeOf } from '#platform/sizes.ts'
import { version } from '#platform/version.ts'
import { heldBlobs, migrations } from '../services.ts'
import { log, withDatabase } from './database.ts'
import { explained } from './explained.ts'

export const describe = ({ tables, blobs }: Manifest) => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = blobs.list
    ? `${blobs.count} blobs (${sizeOf(blobs.bytes)})`
    : 'no blobs (they are in a bucket)'
  return `${tables.length} tables, ${rows} rows, ${bytes}`
}

const notEmpty = (folder: string) => new OperatorError(`${folder} is not empty: name a new folder.`)

/** The folder must be empty, and only one of two backups gets it. Returns a function that removes what was written. */
const claim = async (folder: string) => {
  const made = await makeFolder(folder, 0o700)
  if ((await readdir(folder)).length > 0) throw notEmpty(folder)
  await mkdir(join(folder, 'tables'), { mode: 0o700 }).catch((error) => {
    throw error.code === 'EEXIST' ? notEmpty(folder) : error
  })
  return async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
    if (made) await rmdir(folder)
  }
}

const mostLines = 20

/** Reports only the first few: when a disk is not mounted, every blob is lost. */
const reportLostBlobs = () => {
  let lines = 0
  return ({ id, what }: { id: string; what: string }) => {
    if (lines++ < mostLines) process.stderr.write(`Blob ${id} is ${what} in this system itself.\n`)
  }
}

const backUp = (db: Database, config: Config, folder: string, progress: Progress) =>
  withBackupLease(db, log, async () => {
    const createdAt = systemClock.now().toISOString()
    const secret = await backUpSecret(config, await secretOf(db.sql), folder)
    let named = { count: 0, bytes: 0 }
    const dump = await dumpDatabase(db, migrations, folder, progress, async (tx) => {
      named = await nameBlobs(tx, await heldBlobs(), folder)
    })
    const blobs =
      config.blobs.kind === 'file'
        ? await backUpBlobs(config.blobs.dir, folder, named.count, progress, reportLostBlobs())
        : await leaveBlobs(folder, named)
    return writeManifest(folder, { trivet: version, createdAt, ...dump, secret, blobs })
  })

/** The backup contains all that the system has, so it is kept; the exit code still reports that something is missing. */
class Incomplete extends OperatorError {}

export const backupCommand = (stdout: Output) =>
  new Command('backup')
    .description('Copy database, blobs and secret into an empty folder while the system runs')
    .requiredOption('--to <dir>', 'A folder that is empty or does not exist yet')
    .addHelpText('after', examples('trivet backup --to /backups/2026-11-15'))
    .action(async ({ to }) => {
      const config = loadConfig()
      const folder = resolve(to)
      const discard = await explained(() => claim(folder))
      const progress = startProgress('Backing up')
      try {
        const manifest = await explained(() =>
          withDatabase(config, 'operator', (db) => backUp(db, config, folder, progress)),
        )
        progress.end()
        stdout.write(`Backed up ${describe(manifest)} to ${folder}.\n`)
        const { missing, damaged } = manifest.blobs
        if (missing + damaged > 0)
          throw new Incomplete(
            `${missing} blobs are missing and ${damaged} damaged in this system itself; the backup holds everything else.`,
          )
      } catch (error) {
        if (!(error instanceof Incomplete)) await discard()
        throw error
      } finally {
        progress.end()
      }
    })
