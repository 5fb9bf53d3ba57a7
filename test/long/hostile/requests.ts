import assert from 'node:assert/strict'
import { leastOfThree, longestTurn, type Sent } from './turns.ts'

/** How long a request may hold the event loop: that of a stranger, and that of somebody who is signed in. */
export const strangersMs = 50
export const signedInMs = 250

export type Request = { line: string; headers?: Record<string, string>; body?: string | Buffer }
/** `what`: how a test names it. */
export type Named = Sent & { what: string }

export const asSent = (url: string, { line, headers = {}, body = '' }: Request): Named => {
  const { port, host } = new URL(url)
  const all = { host, connection: 'close', ...headers, ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }) } // biome-ignore format: one line
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  const what = `${line.slice(0, 120)} ${JSON.stringify(headers).slice(0, 160)} ${String(body).slice(0, 80)}`
  return { port: Number(port), bytes: Buffer.concat([head, Buffer.from(body)]), what }
}

/** What holds the event loop for too long, of these. */
export const tooLong = async (requests: readonly Named[], limitMs: number, together = 8) => {
  const found: string[] = []
  for (let at = 0; at < requests.length; at += together) {
    const batch = requests.slice(at, at + together)
    const { ms, answers } = await longestTurn(batch)
    for (const [index, { status, text }] of answers.entries()) {
      const isOurs = status >= 500 && status !== 501 && status !== 505
      assert.ok(!isOurs, `${batch[index]?.what}: ${text}`)
    }
    if (ms <= limitMs) continue
    for (const request of batch) {
      if ((await longestTurn([request])).ms <= limitMs) continue
      const least = await leastOfThree(request)
      if (least > limitMs) found.push(`${Math.round(least)} ms: ${request.what}`)
    }
  }
  return found
}
