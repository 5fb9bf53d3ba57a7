import { resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { readManifest } from '#platform/backup/manifest.ts'
import { type Progress, startProgress } from '#platform/backup/progress.ts'
import { describeAside, planSecret } from '#platform/backup/secret.ts'
import { checkBlobs, planBlobs } from '#platform/blobs/restore.ts'
import { examples, type Output } from '#platform/cli.ts'
import { type Config, loadConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { secretOf } from '#platform/db/installation.ts'
import { bringUpToDate, checkTables, loadDatabase, refuseIfUsed } from '#platform/db/load.ts'
import { refuseForeignBackup } from '#platform/db/migrations.ts'
import { makeFolder } from '#platform/make-folder.ts'
import { migrations } from '../services.ts'
import { describe } from './backup.ts'
import { log, withDatabase } from './database.ts'
import { explained } from './explained.ts'

/**
 * Checks everything first, then puts blobs and secret in place, and loads the database last, in one transaction: if the
 * restore ends before that commits, the system is still empty and can be restored again.
 */
const restore = async (db: Database, config: Config, folder: string, progress: Progress) => {
  const manifest = await readManifest(folder)
  await refuseForeignBackup(migrations, manifest.migrations)
  await refuseIfUsed(db.sql, migrations)
  const secret = await planSecret(config, manifest, await secretOf(db.sql), folder)
  const blobs = await planBlobs(config, folder, manifest, progress)
  await checkTables(folder, manifest, progress)
  await checkBlobs(folder, manifest, progress)
  try {
    await blobs.place()
    const aside = await secret.install()
    await loadDatabase(db, migrations, folder, manifest, progress)
    return { manifest, aside }
  } catch (error) {
    const isEmpty = await refuseIfUsed(db.sql, migrations).then(
      () => true,
      () => false,
    )
    // Not empty, or unknown: the connection may have been lost after the commit, so nothing may be removed.
    if (isEmpty) for (const part of [secret, blobs]) await part.undo()
    throw error
  }
}

export const restoreCommand = (stdout: Output) =>
  new Command('restore')
    .description('Restore a backup into an empty system')
    .requiredOption('--from <dir>', 'A folder that `trivet backup` wrote')
    .addHelpText('after', examples('TRIVET_DATA=./fresh trivet restore --from /backups/2026-11-15'))
    .action(async ({ from }) => {
      const config = loadConfig()
      const folder = resolve(from)
      const progress = startProgress('Restoring')
      try {
        await explained(async () => {
          await readManifest(folder) // before anything is created
          await makeFolder(config.dataDir)
          // No server may run meanwhile: it would keep using the old secret.
          await withDatabase(config, 'serve', async (db) => {
            const { manifest, aside } = await restore(db, config, folder, progress)
            progress.step('bringing it up to date')
            await bringUpToDate(db, migrations, log)
            progress.end()
            stdout.write(
              `Restored ${describe(manifest)} as of ${manifest.createdAt}.\n${describeAside(aside)}`,
            )
          })
        })
      } finally {
        progress.end()
      }
    })
