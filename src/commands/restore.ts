import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readManifest } from '#platform/backup/manifest.ts'
import { type Progress, startProgress } from '#platform/backup/progress.ts'
import { describeAside, planSecret } from '#platform/backup/secret.ts'
import { command } from '#platform/cli.ts'
import { type Config, loadConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { secretOf } from '#platform/db/installation.ts'
import { bringUpToDate, checkTables, loadDatabase, refuseIfUsed } from '#platform/db/load.ts'
import { refuseForeignBackup } from '#platform/db/migrations.ts'
import { checkBlobs, planBlobs } from '#storage/blobs/restore.ts'
import { migrations } from '../system.ts'
import { describe } from './backup.ts'
import { log, withDatabase } from './database.ts'
import { explained } from './explained.ts'

/**
 * First everything is looked at, then blobs and secret are put in place, and the database, whose one transaction decides
 * whether there was a restore, comes last: whatever ends it earlier leaves an empty system that can take a backup in.
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
    // Otherwise the connection was lost when all was done, or nobody knows: then nothing may be taken away.
    if (isEmpty) for (const part of [secret, blobs]) await part.undo()
    throw error
  }
}

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
  run: async ({ from }, stdout) => {
    const config = loadConfig()
    const folder = resolve(from)
    const progress = startProgress('Restoring')
    try {
      await explained(async () => {
        await readManifest(folder) // before anything is made for it
        await mkdir(config.dataDir, { recursive: true })
        // Nobody may serve meanwhile: it would go on with a secret that is no longer the one.
        await withDatabase(config, 'serve', async (db) => {
          const { manifest, aside } = await restore(db, config, folder, progress)
          progress.step('bringing it up to date')
          await bringUpToDate(db, migrations, log)
          progress.end()
          stdout.write(`Restored ${describe(manifest)} as of ${manifest.createdAt}.\n${describeAside(aside)}`)
        })
      })
    } finally {
      progress.end()
    }
  },
})
