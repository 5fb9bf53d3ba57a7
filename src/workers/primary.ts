import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { checkSecret } from '#platform/db/installation.ts'
import { migrate } from '#platform/db/migrations.ts'
import { mostConnections } from '#platform/db/pool-sizes.ts'
import { openCluster } from '#platform/embedded-postgres/cluster.ts'
import type { LogLevel } from '#platform/log.ts'
import { type Report, unreported } from '#platform/progress.ts'
import { openSecrets } from '#platform/secrets.ts'
import { migrations } from '../services.ts'
import type { System } from '../system.ts'
import { createCrew } from './crew.ts'

/** What PostgreSQL accepts beside the workers: operator commands, backups, the sessions that it reserves. */
const usualConnections = 100
const otherConnections = 25

const connectionsFor = (workers: number) => {
  const ofWorkers = workers * mostConnections({ workers, maxConnections: usualConnections })
  return Math.max(usualConnections, otherConnections + ofWorkers)
}

type Preparation = { config: Config; log: Logger; report?: Report }

/**
 * Serves with several processes: this one owns the database and what the workers share, and serves no requests itself
 * (ADR 34).
 */
export const startWorkers = async ({
  pretty,
  ...shared
}: Preparation & { pretty: boolean }): Promise<Pick<System, 'urls' | 'close'>> => {
  const { config, log, report = unreported } = shared
  const cluster = config.databaseUrl ? null : await openCluster(clusterOptions({ config, log, report }))
  try {
    const connection = cluster?.connection ?? (config.databaseUrl as string)
    await prepare(connection, { config, log, report })
    report('starting the workers')
    const crew = createCrew({
      count: config.workers,
      assignment: { config, connection, log: { level: log.level as LogLevel, pretty } },
      log,
    })
    try {
      const urls = await crew.start()
      return {
        urls,
        async close({ noticeMs = 0 } = {}) {
          await crew.stop({ noticeMs })
          await cluster?.close()
        },
      }
    } catch (error) {
      await crew.stop({ noticeMs: 0 })
      throw error
    }
  } catch (error) {
    await cluster?.close()
    throw error
  }
}

const clusterOptions = ({ config, log, report }: Required<Preparation>) => ({
  dataDir: config.dataDir,
  binaries: config.pgBin,
  purpose: 'serve' as const,
  log,
  report,
  settings: { max_connections: String(connectionsFor(config.workers)) },
})

/** What only one process may do, before any serves. */
const prepare = async (
  connection: Parameters<typeof openDatabase>[0],
  { config: { secret, dataDir }, log, report }: Required<Preparation>,
) => {
  const db = await openDatabase(connection)
  try {
    await migrate(db, migrations, log, report)
    await checkSecret(db.sql, await openSecrets({ dataDir, ...(secret ? { secret } : {}) }))
  } finally {
    await db.close()
  }
}
