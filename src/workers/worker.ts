import type { Logger } from 'pino'
import { systemClock } from '#platform/clock.ts'
import { collectGarbage } from '#platform/collect-garbage.ts'
import type { ServiceName } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { closeLogger, createLogger } from '#platform/log.ts'
import { openChannel, type Port } from '#platform/workers/channel.ts'
import type { System } from '../system.ts'
import { type Assignment, boardFile, type Failure, type Outcome, type Stop, topics } from './messages.ts'

const primary = openChannel(process as unknown as Port)

// Nothing that was answered is lost, and the next primary process needs the ports.
process.once('disconnect', () => process.exit(1))
// A terminal sends them to every process of the group. When to stop is decided by the primary process.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

const failureOf = (error: unknown): Failure => {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  return { message, stack, forOperator: error instanceof OperatorError }
}

const stop = async (system: System, log: Logger, code: number, noticeMs = 0) => {
  await system.close({ noticeMs })
  await closeLogger(log)
  process.exit(code)
}

const serve = async ({ number, config, connection, log: format }: Assignment): Promise<Outcome> => {
  const log = createLogger({ ...format, shared: true }).child({ worker: number })
  try {
    const { startSystem } = await import('../system.ts')
    const system = await startSystem({
      config,
      clock: systemClock,
      log,
      seat: { number, connection, primary, board: boardFile },
    })
    primary.on(topics.stop, ({ noticeMs }: Stop) => stop(system, log, 0, noticeMs))
    // The state of this process is unknown from here on, and another one takes its place. Also for unhandled rejections.
    process.on('uncaughtException', (err, origin) => {
      log.fatal({ err, origin }, 'unexpected error')
      void stop(system, log, 1)
    })
    collectGarbage()
    return { urls: system.platform.config.urls }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

primary.on(topics.serve, serve)
primary.on(topics.load, async (services: ServiceName[]) => {
  const { loadServices } = await import('../services.ts')
  await loadServices(services)
})
