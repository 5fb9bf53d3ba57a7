import type { IncomingHttpHeaders } from 'node:http'

/** In this order: most browsers also call themselves by the names of those that they descend from. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const nameIn = (text: string, known: readonly (readonly [RegExp, string])[]) =>
  known.find(([pattern]) => pattern.test(text))?.[1]

/**
 * What a sign-in came from, in a few words for the list of sessions: the browser and the system, or the first product that
 * a program names. Null if it says nothing.
 */
export const deviceOf = ({ 'user-agent': agent = '' }: IncomingHttpHeaders): string | null => {
  const text = agent.slice(0, 500)
  const browser = nameIn(text, browsers)
  const system = nameIn(text, systems)
  if (browser) return system ? `${browser} on ${system}` : browser
  const program = /^(?!Mozilla\b)[A-Za-z][\w.-]{0,39}/.exec(text)?.[0]
  return program ?? system ?? null
}
