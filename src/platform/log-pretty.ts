import { createRequire } from 'node:module'
import type * as PinoPretty from 'pino-pretty'

/** Loaded only where lines are shown: it takes longer than many a command. */
const loadPretty = () => createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty

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
  }) as object

/** Turns JSON lines into lines for a person at a terminal. A line that is not JSON is shown as it is. */
export const prettyLines = (colorize: boolean) => {
  let prettify: ReturnType<typeof PinoPretty.prettyFactory> | undefined
  const options = {
    colorize,
    singleLine: true,
    translateTime: 'UTC:HH:MM:ss.l',
    errorLikeObjectKeys: ['err'],
  }
  return (line: string): string => {
    try {
      prettify ??= loadPretty().prettyFactory(options)
      return prettify(parseSafely(line))
    } catch {
      return `${withoutControls(line.trimEnd())}\n`
    }
  }
}
