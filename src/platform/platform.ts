import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import type { Connection } from './db/dial.ts'
import { checkSecret } from './db/installation.ts'
import { type MigrationSet, migrate } from './db/migrations.ts'
import { warnIfBehind } from './db/minors.ts'
import { openSignals, type Signals } from './db/signals.ts'
import { keepStatistics } from './db/statistics.ts'
import { schemasOf } from './db/tables.ts'
import { openCluster } from './embedded-postgres/cluster.ts'
import { explainFailure } from './embedded-postgres/errors.ts'
import { type InstanceSettings, openInstance } from './instance/instance.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { createLimiter, type Limiter } from './limits/limits.ts'
import { createMailer, type Mailer } from './mail.ts'
import { type Cost, createPasswords, type Passwords } from './passwords.ts'
import { type Report, unreported } from './progress.ts'
import { isFirst, type Seat } from './seat.ts'
import { openSecrets, type Secrets } from './secrets.ts'

/** What every service builds on. It is passed explicitly: two systems in one process share no data. */
export type Platform = {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  signals: Signals
  secrets: Secrets
  passwords: Passwords
  limiter: Limiter
  mailer: Mailer
  instance: InstanceSettings
  jobs: Jobs
  /** Set if this process is one of several workers. */
  seat?: Seat
  /** The state of modules; see `moduleState`. */
  moduleStates: Map<symbol, unknown>
}

export type OpenPlatform = Platform & { close(): Promise<void> }

export type PlatformOptions = {
  config: Config
  clock: Clock
  log: Logger
  purpose: 'serve' | 'operator'
  migrations: MigrationSet[]
  /** For one of several workers. */
  seat?: Seat
  /** The cost of new password hashes. Tests create hundreds of them and lower it. */
  passwordCost?: Cost
  /** Told what takes time while it opens. */
  report?: Report
}

/** Opens everything in order. `close`, or a step that fails, closes what was opened in reverse order. */
export const openPlatform = async ({
  config,
  clock,
  log,
  purpose,
  migrations,
  seat,
  passwordCost,
  report = unreported,
}: PlatformOptions): Promise<OpenPlatform> => {
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const part of opened.splice(0).reverse()) await part.close()
  }
  const keep = <T extends { close(): Promise<void> }>(part: T) => {
    opened.push(part)
    return part
  }
  try {
    const connection: Connection =
      seat?.connection ??
      config.databaseUrl ??
      keep(await openCluster({ dataDir: config.dataDir, binaries: config.pgBin, purpose, log, report }))
        .connection
    report('connecting to the database')
    const workers = seat ? config.workers : 1
    const db = keep(await openDatabase(connection, { workers, patient: purpose === 'operator' }))
    if (!seat) await migrate(db, migrations, log, report)
    const place = seat && { file: seat.board, workers, number: seat.number }
    const signals = keep(await openSignals(connection, db, log, place))
    const secrets = await openSecrets({
      ...(config.secret ? { secret: config.secret } : {}),
      dataDir: config.dataDir,
    }).catch((error) => {
      throw explainFailure(error, config.dataDir)
    })
    if (purpose === 'serve' && !seat) await checkSecret(db.sql, secrets)
    if (purpose === 'serve' && isFirst(seat)) warnIfBehind(db.serverVersion, config, log)
    if (purpose === 'serve' && isFirst(seat)) keep(keepStatistics(db, schemasOf(migrations), log))
    const limiter = keep(
      createLimiter({
        clock,
        enabled: config.rateLimits,
        log,
        ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
        ...(seat ? { primary: seat.primary } : {}),
      }),
    )
    const instance = keep(await openInstance({ config, db, signals, log }))
    const mailer = keep(
      createMailer({
        outboxDir: join(config.dataDir, 'outbox'),
        log,
        from: () => ({ name: instance.current.name, address: 'no-reply@localhost' }),
        ...(config.smtpUrl ? { smtpUrl: config.smtpUrl } : {}),
      }),
    )
    const jobs = keep(createJobs(connection, db, log, seat))
    return {
      config,
      clock,
      log,
      db,
      signals,
      secrets,
      passwords: createPasswords({ workers, ...(passwordCost ? { cost: passwordCost } : {}) }),
      limiter,
      mailer,
      instance,
      jobs,
      ...(seat ? { seat } : {}),
      moduleStates: new Map(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
