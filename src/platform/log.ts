import { type DestinationStream, type Logger, pino } from 'pino'
import { logOutput } from './log-output.ts'
import { prettyLines } from './log-pretty.ts'
import { errorWithoutSecrets, mask, secretNames, withoutSecrets } from './log-secrets.ts'

export { safeUrl } from './log-secrets.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type LoggerOptions = {
  level: LogLevel
  pretty: boolean
  /** Whether other processes write to the same standard output. */
  shared?: boolean
  destination?: DestinationStream
}

/** JSON lines on standard output; with `pretty`, short lines for a person at a terminal. */
export const createLogger = ({ level, pretty, shared = false, destination }: LoggerOptions): Logger => {
  const output = destination ? undefined : logOutput({ buffered: !pretty, shared })
  const target = destination ?? (output as DestinationStream)
  const log = pino(
    {
      level,
      base: null,
      timestamp: isoTime(),
      redact: { paths: secretNames.map((name) => `["${name}"]`), censor: mask },
      formatters: {
        level: (word) => ({ level: word }),
        log: (entry) => withoutSecrets(entry) as typeof entry,
      },
      serializers: { err: errorWithoutSecrets },
    },
    pretty ? prettyStream(target, output !== undefined) : target,
  )
  if (output) reportDrops(log, output.destination)
  return log
}

/** The same text as pino's `isoTime`. All but the milliseconds is written once a second, which takes a quarter of the time. */
const isoTime = () => {
  let second = Number.NaN
  let written = ''
  return () => {
    const now = Date.now()
    const milliseconds = now % 1000
    if (now - milliseconds !== second) {
      second = now - milliseconds
      written = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`
    }
    return `${written}${String(milliseconds).padStart(3, '0')}Z"`
  }
}

const prettyStream = (target: DestinationStream, isStandardOutput: boolean): DestinationStream => {
  const isTerminal = isStandardOutput && process.stdout.isTTY
  const prettyLine = prettyLines(isTerminal && process.stdout.hasColors())
  // On a terminal a line may follow one that shows progress, which it takes the place of.
  const start = isTerminal ? '\r\x1b[2K' : ''
  return { ...target, write: (line) => target.write(start + prettyLine(line)) }
}

/** Says how many lines a stalled reader has cost, as soon as it reads again. */
const reportDrops = (log: Logger, destination: ReturnType<typeof logOutput>['destination']) => {
  let lines = 0
  destination.on('drop', () => lines++)
  destination.on('drain', () => {
    if (lines === 0) return
    const dropped = lines
    lines = 0
    log.warn({ dropped }, 'log lines were dropped because the reader of the log stalled')
  })
}

/** Resolves when everything logged so far has been handed to the operating system. */
export const closeLogger = (logger: Logger) => new Promise<void>((resolve) => logger.flush(() => resolve()))
