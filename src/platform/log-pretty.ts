import { rgb, styled } from './ansi.ts'
import { accents } from './web/accents.ts'

type Entry = Record<string, unknown>

const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
const withoutControls = (text: string) => text.replace(/[\x00-\x1f\x7f-\x9f]/g, escaped)
const withoutControlsExceptNewlines = (text: string) =>
  text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, escaped)

/** What a client sent must not be able to control the terminal that shows it. Only a stack may have several lines. */
const parseSafely = (line: string) =>
  JSON.parse(line, (name, value: unknown) => {
    if (typeof value === 'string')
      return name === 'stack' ? withoutControlsExceptNewlines(value) : withoutControls(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [withoutControls(key), held]))
  }) as Entry

const green = '32'
const cyan = '36'
const yellow = '33'
const red = '31'
const dim = '2'

const colourOfStatus = (status: number) =>
  status >= 500 ? red : status >= 400 ? yellow : status >= 300 ? cyan : green

const colourOfLevel = (level: unknown) =>
  level === 'fatal' || level === 'error' ? red : level === 'warn' ? yellow : dim

const columnOf = Math.max(...Object.keys(accents).map((name) => name.length))

/** Lines that belong to no service are those of the system itself. */
const nobody = 'trivet'

const timeOf = (time: unknown) => {
  const at = new Date(String(time))
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':')
}

const shown = (value: unknown) =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)

const fieldsOf = (entry: Entry) =>
  Object.entries(entry)
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(' ')

/** The stack of an error below its line, indented, with whatever else the error carries. */
const errorOf = (err: unknown) => {
  if (typeof err !== 'object' || err === null) return shown(err)
  const { stack, type: _type, message, ...rest } = err as Entry
  const more = Object.keys(rest).length > 0 ? `\n${fieldsOf(rest)}` : ''
  return `${stack ?? message ?? ''}${more}`.replace(/^/gm, '    ')
}

/** Turns JSON lines into lines for a person at a terminal. A line that is not JSON is shown as it is. */
export const prettyLines = (colorize: boolean) => {
  const paint = (codes: string, text: string) => (colorize && text !== '' ? styled(codes, text) : text)
  const joined = (...parts: string[]) => parts.filter((part) => part !== '').join('  ')

  const serviceOf = (name: unknown) => {
    const text = String(name ?? nobody).padEnd(columnOf)
    return name !== undefined && Object.hasOwn(accents, String(name))
      ? paint(`38;2;${rgb(accents[name as keyof typeof accents][1])}`, text)
      : paint(dim, text)
  }

  /** What matters first: the outcome, then what was asked for, how long it took, and last what only a search needs. */
  const requestLine = ({ status, method, url, ms, reqId, ip: _ip, ...rest }: Entry) =>
    joined(
      `${paint(colourOfStatus(Number(status)), String(status))} ${method} ${url}`,
      `${ms} ms`,
      paint(dim, fieldsOf(rest)),
      paint(dim, String(reqId)),
    )

  const otherLine = (level: unknown, msg: unknown, entry: Entry) =>
    joined(
      level === 'info' ? '' : paint(colourOfLevel(level), String(level)),
      String(msg ?? ''),
      paint(dim, fieldsOf(entry)),
    )

  return (line: string): string => {
    try {
      const { level, time, service, msg, err, ...entry } = parseSafely(line)
      const rest =
        msg === 'request' && entry.status !== undefined
          ? requestLine(entry)
          : otherLine(level, msg ?? (err as Entry)?.message, entry)
      const head = `${paint(dim, timeOf(time))} ${serviceOf(service)}  ${rest}`
      return err === undefined ? `${head}\n` : `${head}\n${errorOf(err)}\n`
    } catch {
      return `${withoutControls(line.trimEnd())}\n`
    }
  }
}
