import { command } from '#platform/cli.ts'
import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { closeLogger, createLogger } from '#platform/log.ts'
import { banner } from '../banner.ts'
import { startSystem } from '../system.ts'
import { fillWithDemo, requireLocal } from './demo.ts'

export const serveCommand = command({
  words: ['serve'],
  summary: 'Serve until SIGTERM or SIGINT',
  options: {
    pretty: { type: 'boolean', description: 'Readable log lines instead of JSON' },
    demo: { type: 'boolean', description: 'Fill it with believable data first (see trivet demo)' },
  },
  run: async ({ pretty, demo }) => {
    const config = loadConfig()
    if (demo) requireLocal(config)
    const terminal = process.stdout.isTTY
    // At a terminal the addresses matter, not one line per request; `--pretty` shows those as well.
    const level = terminal && !pretty && config.logLevel === 'info' ? 'warn' : config.logLevel
    const log = createLogger({ level, pretty: terminal || pretty })
    const stopped = stopSignal()
    const system = await startSystem({ config, clock: systemClock, log })
    const services = config.services.map((name) => ({ name, url: system.platform.config.urls[name] }))
    if (demo) await fillWithDemo(system.platform, (text) => process.stdout.write(text))
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
    else log.info({ services, dataDir: config.dataDir }, 'serving')
    log.info({ signal: await stopped }, 'draining')
    await system.close()
    log.info('stopped')
    await closeLogger(log)
  },
})

const patienceMs = 40_000

/** The first signal stops cleanly; a second one, or too long a time, gives up waiting. */
const stopSignal = () =>
  new Promise<string>((resolve) => {
    let asked = false
    const stop = (signal: string) => {
      if (asked) process.exit(1)
      asked = true
      setTimeout(() => process.exit(1), patienceMs).unref()
      resolve(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
