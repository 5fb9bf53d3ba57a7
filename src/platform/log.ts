import { styleText } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'
import { lineOutput } from './log-output.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** `gather` takes what makes a line, for when it is written. */
type Output = DestinationStream & { gather?: ((line: () => string) => void) | undefined }

type LoggerOptions = { level: LogLevel; pretty: boolean; destination?: DestinationStream }

/** JSON lines on standard output; with `pretty`, short lines for a person at a terminal. */
export const createLogger = ({ level, pretty, destination }: LoggerOptions): Logger => {
  const output: Output = destination ?? lineOutput(1, pretty)
  const colour = destination === undefined && process.stdout.isTTY && process.stdout.hasColors()
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime(),
      // Child bindings pass by the formatter below, so their own names are covered by pino itself.
      redact: { paths: secretNames.map((name) => `["${name}"]`), censor: MASK },
      formatters: {
        level: (word) => ({ level: word }),
        log: (entry) => withoutSecrets(entry) as typeof entry,
      },
      serializers: { err: errorEntry },
    },
    pretty ? { ...output, gather: undefined, write: (line) => output.write(readable(line, colour)) } : output,
  )
}

/** What the lines of all requests for one thing with one outcome have in common. */
export const requestText = (method: string, url: string, status: number) =>
  `"method":"${method}","url":${JSON.stringify(safeUrl(url))},"status":${status}`

/** The line of an answered request, put together by hand: there is one for each, and pino would cost ten times that. */
export const requestLog = (log: Logger) => {
  const output = (log as unknown as Record<symbol, Output>)[pino.symbols.streamSym]
  if (!output || !log.isLevelEnabled('info')) return () => {}
  const time = isoTime()
  return (text: string, reqId: string, ip: string, ms: number, aborted: boolean) => {
    const at = time()
    const line = () =>
      `{"level":"info"${at},"reqId":"${reqId}",${text},"ip":${ip ? JSON.stringify(ip) : null},"ms":${Math.round(ms * 10) / 10}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`
    if (output.gather) output.gather(line)
    else output.write(line())
  }
}

/** Resolves when everything logged so far has been handed to the operating system. */
export const closeLogger = (logger: Logger) => new Promise<void>((resolve) => logger.flush(() => resolve()))

/** Formatting a date takes a third of the time of a line: once per millisecond is enough. */
const isoTime = () => {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
}

const MASK = '***'
const MAX_DEPTH = 8

const secretNames = [
  ...['password', 'secret', 'token', 'signature', 'authorization', 'cookie', 'set-cookie', 'key'],
  ...['api-key', 'apiKey', 'api_key', 'access-key', 'accessKey', 'secret-key', 'secretKey', 'private-key'],
  ...['x-api-key', 'x-api-secret', 'accessToken', 'refreshToken', 'clientSecret'],
]
const SECRET_NAME =
  /(?:^key|password|secret|token|signature|authorization|cookie|(?:api|access|secret|private)[-_]?key)s?$/i

const isPlainObject = (value: object): value is Record<string, unknown> => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Masks by name at any depth and in any case, and copies only what it changes. Pino's own wildcard paths see
 * fixed depths only and made a line twenty times as expensive.
 */
const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  if (!isPlainObject(value)) return value
  let clean = value
  for (const name in value) {
    const before = value[name]
    const after = SECRET_NAME.test(name) ? MASK : withoutSecrets(before, depth + 1)
    if (after === before) continue
    if (clean === value) clean = { ...value }
    clean[name] = after
  }
  return clean
}

const errorEntry = (error: unknown) =>
  withoutSecrets(error instanceof Error ? { ...pino.stdSerializers.err(error) } : error)

const SCHEME_WITH_PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Longer ones tell nobody anything, and cost as much to search and to keep. */
const longestUrl = 2_048

/** An address fit for a log: without the values of secret query parameters or the password of a user, and cut. */
export const safeUrl = (url: string) => {
  const cut = url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url
  return isPlainPath(cut) ? cut : withoutSecretParameters(cut.replace(SCHEME_WITH_PASSWORD, `$1:${MASK}@`))
}

/** As nearly all of them are. */
const isPlainPath = (url: string) => url.charCodeAt(0) === SLASH && !url.includes('?')
const SLASH = 47

const withoutSecretParameters = (url: string) => {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const end = url.indexOf('#', start)
  const query = end < 0 ? url.slice(start) : url.slice(start, end)
  const safe = query.split('&').map(withoutSecretValue).join('&')
  return `${url.slice(0, start)}${safe}${end < 0 ? '' : url.slice(end)}`
}

/** Some take a further question mark for the beginning of a name. */
const withoutSecretValue = (parameter: string) => {
  const equals = parameter.indexOf('=')
  if (equals < 0) return parameter
  const name = decoded(parameter.slice(parameter.lastIndexOf('?', equals) + 1, equals))
  const isSecret = name.toLowerCase() === 'code' || SECRET_NAME.test(name)
  return isSecret ? `${parameter.slice(0, equals)}=${MASK}` : parameter
}

type Entry = { level: LogLevel; time: string; msg?: string; err?: { stack?: string } } & Record<
  string,
  unknown
>

const LEVEL_COLOURS = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
  silent: 'gray',
} as const

/** What a client sent must not be able to steer the terminal that shows it. */
const harmless = (text: string) =>
  text.replace(/[\x00-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)

const shown = (value: unknown) => {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return harmless(text)
}

const prettyLine = (line: string, colour: boolean) => {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Entry
  const head = `${paint('gray', time.slice(11, 23))} ${paint(LEVEL_COLOURS[level], level.padEnd(5))} ${harmless(msg)}`
  const details = Object.entries(rest).map(([name, value]) =>
    paint('gray', `${harmless(name)}=${shown(value)}`),
  )
  const stack = err?.stack?.split('\n').map((frame) => `\n  ${harmless(frame)}`) ?? []
  return `${[head, ...details].join(' ')}${stack.join('')}\n`
}

/** A line that cannot be read is shown as it is: it must never end the process that wrote it. */
const readable = (line: string, colour: boolean) => {
  try {
    return prettyLine(line, colour)
  } catch {
    return `${harmless(line.trimEnd())}\n`
  }
}
