import { Command } from '@commander-js/extra-typings'
import type { Logger } from 'pino'
import { CommandFailed } from '#platform/cli.ts'
import { systemClock } from '#platform/clock.ts'
import { type Config, loadConfig } from '#platform/config.ts'
import { closeLogger, createLogger } from '#platform/log.ts'
import type { OpenPlatform } from '#platform/platform.ts'
import { banner } from '../banner.ts'
import { type System, startSystem } from '../system.ts'
import { fillWithDemo, requireLocal } from './demo.ts'
import { operate } from './operate.ts'

export const serveCommand = () =>
  new Command('serve')
    .description('Serve until SIGTERM, SIGINT or SIGHUP')
    .option('--pretty', 'Readable log lines instead of JSON')
    .option('--demo', 'Fill it with demo data first (see trivet demo)')
    .action(serve)

const serve = async ({ pretty = false, demo = false }: { pretty?: boolean; demo?: boolean }) => {
  const config = loadConfig()
  if (demo) requireLocal(config)
  const terminal = process.stdout.isTTY
  // At a terminal the addresses matter, not a line per request; `--pretty` shows both.
  const level = terminal && !pretty && config.logLevel === 'info' ? 'warn' : config.logLevel
  const log = createLogger({ level, pretty: terminal || pretty })
  const stopped = reasonToStop(config, log)
  const system = await start(config, log)
  const services = config.services.map((name) => ({ name, url: system.urls[name] }))
  if (demo) {
    const filling = fill(system)
    // A signal to stop does not wait for the demo; its remaining writes then fail, which is not worth reporting.
    void stopped.then(() => filling.catch(() => {}))
    await Promise.race([filling, stopped])
  }
  if (terminal)
    process.stdout.write(
      banner({
        services,
        dataDir: config.dataDir,
        database: config.databaseUrl ? 'PostgreSQL server' : 'embedded PostgreSQL',
        demoHint: !demo,
        colour: process.stdout.hasColors(),
      }),
    )
  else log.info({ services, dataDir: config.dataDir, ...severalWorkers(config) }, 'serving')
  const reason = await stopped
  const { signal, noticeMs } = reason
  log.info({ signal, noticeMs }, 'draining')
  await system.close({ noticeMs })
  log.info('stopped')
  await closeLogger(log)
  if (reason.failed) throw new CommandFailed()
}

/** `platform` is open in this process, unless workers serve. */
type Served = Pick<System, 'urls' | 'close'> & { platform?: OpenPlatform }

const start = async (config: Config, log: Logger): Promise<Served> => {
  if (config.workers > 1) return (await import('../workers/primary.ts')).startWorkers(config, log)
  const { platform, close } = await startSystem({ config, clock: systemClock, log })
  return { platform, urls: platform.config.urls, close }
}

const fill = ({ platform, urls }: Served) =>
  platform
    ? fillWithDemo(platform, process.stdout)
    : operate(({ config, ...own }) => fillWithDemo({ ...own, config: { ...config, urls } }, process.stdout))

const severalWorkers = ({ workers }: Config) => (workers > 1 ? { workers } : {})

type Reason = { signal?: NodeJS.Signals; noticeMs: number; failed: boolean }

/** Longer than the drain of requests in flight takes. */
const patienceMs = 40_000
/** Ctrl+C reaches the whole process group, and npm passes it on: the same signal arrives twice. */
const sameSignalMs = 1_000

/**
 * The first signal stops cleanly. So does an uncaught error, since the state of the process is unknown after it; the
 * supervisor starts a new one. A second signal, or a drain that takes too long, ends the process at once.
 */
const reasonToStop = (config: Config, log: Logger) =>
  new Promise<Reason>((resolve) => {
    let first: { reason: Reason; at: number } | undefined
    const stop = (reason: Reason) => {
      first = { reason, at: performance.now() }
      setTimeout(() => process.exit(1), reason.noticeMs + patienceMs).unref()
      resolve(reason)
    }
    const onSignal = (signal: NodeJS.Signals) => {
      if (!first)
        stop({ signal, noticeMs: signal === 'SIGTERM' ? config.drainSeconds * 1000 : 0, failed: false })
      else if (performance.now() - first.at > sameSignalMs) process.exit(1)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
    // Also for unhandled rejections.
    process.on('uncaughtException', (err, origin) => {
      log.fatal({ err, origin }, 'unexpected error')
      if (first) first.reason.failed = true
      else stop({ noticeMs: 0, failed: true })
    })
  })
