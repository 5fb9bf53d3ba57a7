import { Command, Option } from '@commander-js/extra-typings'
import type { Logger } from 'pino'
import { CommandFailed } from '#platform/cli.ts'
import { systemClock } from '#platform/clock.ts'
import { collectGarbage } from '#platform/collect-garbage.ts'
import { type Config, listenersOf, loadConfig } from '#platform/config.ts'
import { checkPorts } from '#platform/http/server/ports.ts'
import { closeLogger, createLogger } from '#platform/log.ts'
import type { OpenPlatform } from '#platform/platform.ts'
import { type Report, showSteps } from '#platform/progress.ts'
import { banner } from '../banner.ts'
import { consoleUrl } from '../services.ts'
import type { System } from '../system.ts'
import { fillWithDemo, requireLocal } from './demo.ts'
import { operate } from './operate.ts'

export const serveCommand = () =>
  new Command('serve')
    .description('Serve until SIGTERM, SIGINT or SIGHUP')
    .option('--pretty', 'Readable log lines instead of JSON, also where output is not a terminal')
    .option('--demo', 'Fill it with demo data first (see trivet demo)')
    .addOption(new Option('--development', 'Consoles follow their sources').hideHelp())
    .addOption(new Option('--restarted', 'Addresses and logins have been shown already').hideHelp())
    .action(serve)

type Options = { pretty?: true; demo?: true; development?: true; restarted?: true }

const serve = async ({ pretty, demo, development, restarted }: Options) => {
  const loaded = { ...loadConfig(), isDevelopment: development === true }
  const config = demo ? forDemo(loaded) : loaded
  if (demo) requireLocal(config)
  await checkPorts(config)
  const { isTTY: isTerminal } = process.stdout
  const format = { pretty: isTerminal || pretty === true, shared: config.workers > 1 }
  const log = createLogger({ level: config.logLevel, ...format })
  const stopped = reasonToStop(config, log)
  const system = await start({ config, log, pretty: format.pretty }, isTerminal)
  const services = listenersOf(config.services).map((name) => {
    const url = system.urls[name]
    return { name, url, console: consoleUrl(name, url) }
  })
  if (demo) {
    const filling = fill(system, restarted ? nowhere : process.stdout)
    // A signal to stop does not wait for the demo; its remaining writes then fail, which is not worth reporting.
    void stopped.then(() => filling.catch(() => {}))
    await Promise.race([filling, stopped])
  }
  if (isTerminal && !restarted) process.stdout.write(bannerOf(config, services, demo))
  else
    log.info(
      restarted ? {} : { services, dataDir: config.dataDir, ...severalWorkers(config) },
      restarted ? 'serving again' : 'serving',
    )
  const reason = await stopped
  const { signal, noticeMs } = reason
  if (isTerminal) process.stdout.write('\r\x1b[2KStopping …\n')
  else log.info({ signal, noticeMs }, 'draining')
  await system.close({ noticeMs })
  if (!isTerminal) log.info('stopped')
  await closeLogger(log)
  if (reason.failed) throw new CommandFailed()
}

/** The demo has a webhook to this machine. */
const forDemo = (config: Config): Config => ({ ...config, webhooksAllowPrivate: true })

const nowhere = { write: () => true }

/** `platform` is open in this process, unless workers serve. */
type Served = Pick<System, 'urls' | 'close'> & { platform?: OpenPlatform }

/** At a terminal the first start, which creates a database, shows what it does. */
const start = async (options: StartOptions, isTerminal: boolean) => {
  if (!isTerminal) return startServing(options)
  const { report, end } = showSteps('Starting Trivet', process.stdout)
  return startServing({ ...options, report }).finally(end)
}

type StartOptions = { config: Config; log: Logger; pretty: boolean; report?: Report }

const startServing = async ({ pretty, ...options }: StartOptions): Promise<Served> => {
  if (options.config.workers > 1)
    return (await import('../workers/primary.ts')).startWorkers({ ...options, pretty })
  const { startSystem } = await import('../system.ts')
  const { platform, close } = await startSystem({ ...options, clock: systemClock })
  collectGarbage()
  return { platform, urls: platform.config.urls, close }
}

const fill = ({ platform, urls }: Served, out: Parameters<typeof fillWithDemo>[1]) =>
  platform
    ? fillWithDemo(platform, out)
    : operate(({ config, ...own }) => fillWithDemo({ ...own, config: forDemo({ ...config, urls }) }, out))

const severalWorkers = ({ workers }: Config) => (workers > 1 ? { workers } : {})

const bannerOf = (config: Config, services: Parameters<typeof banner>[0]['services'], hasDemo?: true) =>
  banner({
    services,
    dataDir: config.dataDir,
    database: config.databaseUrl ? 'PostgreSQL server' : 'embedded PostgreSQL',
    demoHint: !hasDemo,
    colour: process.stdout.hasColors(),
  })

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
