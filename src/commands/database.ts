import type { Config } from '#platform/config.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { type ClusterOptions, openCluster } from '#platform/embedded-postgres/cluster.ts'
import { createLogger } from '#platform/log.ts'

export const log = createLogger({ level: 'warn', pretty: true })

/** Opens only the database: nothing is migrated, and no secret is created. */
export const withDatabase = async <T>(
  config: Config,
  purpose: ClusterOptions['purpose'],
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const cluster = config.databaseUrl
    ? null
    : await openCluster({ dataDir: config.dataDir, binaries: config.pgBin, purpose, log })
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
