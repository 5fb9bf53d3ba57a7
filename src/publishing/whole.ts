import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '#platform/addresses.ts'
import { headLines } from '#platform/http/prepared.ts'
import type { FindReady, Prepare, Prepared } from '#platform/http/ready.ts'
import { limits } from './access.ts'
import { isKnown, type Version } from './conditional.ts'
import type { Publishing } from './context.ts'
import { drawn, type Shown } from './drawn.ts'

type Answers = { full: Prepared; unchanged: Prepared }

/** A whole answer, the same for everybody who asks for the same. */
export type Whole = {
  route: string
  /** Null where nobody is told that an answer has not changed. */
  version: Version | null
  /** Headers of the answer, and of the word that it has not changed. */
  shared: Record<string, string>
  /** Headers of the answer alone. */
  own: Record<string, string>
  length: number
  /** Made when it is first answered from memory, for the one address that it is kept by. */
  answers?: Answers
  /** The bytes, one in each character, and the headers that differ each time. */
  write(): { headers?: Record<string, string>; bytes: string }
}

const versionHeaders = ({ etag, modified }: Version): Record<string, string> =>
  modified === null ? { etag } : { etag, 'last-modified': modified }

/** Text as the bytes it is sent as: a string of bytes is what costs least to send. */
export const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

type Described = { route: string; type: string; version?: Version | null; shared?: Record<string, string> }

/** One that is made of the same bytes each time. */
export const wholeOf = (body: string, { route, type, version = null, shared = {} }: Described): Whole => {
  const written = { bytes: bytesOf(body) }
  return {
    route,
    version,
    shared: { ...shared, ...(version && versionHeaders(version)) },
    own: { 'content-type': type },
    length: written.bytes.length,
    write: () => written,
  }
}

export const wholeJson = (route: string, value: object) =>
  wholeOf(JSON.stringify(value), { route, type: 'application/json; charset=utf-8' })

/** What the answer that the client has already said of itself, and need not say again. */
const saidBefore = ['content-security-policy', 'x-content-type-options', 'referrer-policy'] as const

/** Sends an answer, or says that the client has it. A 304 leaves the policy, and so the nonce, as it was. */
export const sendWhole = (req: FastifyRequest, reply: FastifyReply, whole: Whole) => {
  reply.headers(whole.shared)
  if (whole.version && isKnown(req.headers, whole.version)) {
    for (const name of saidBefore) reply.removeHeader(name)
    return reply.code(304).send()
  }
  const { headers, bytes } = whole.write()
  return reply.headers({ ...whole.own, ...headers }).send(Buffer.from(bytes, 'latin1'))
}

/** Whether the route knows every name in the query: any other makes a new address of the same answer. */
const isPlain = ({ query, routeOptions }: FastifyRequest) => {
  const schema = routeOptions.schema?.querystring as { properties?: object } | undefined
  const known = schema?.properties ?? {}
  return Object.keys(query as object).every((name) => Object.hasOwn(known, name))
}

/** For whoever reads without credentials: drawn once, and kept until something that it shows changes. */
export const sendDrawn = async (
  ctx: Publishing,
  req: FastifyRequest,
  reply: FastifyReply,
  draw: () => Promise<{ value: Whole; shown: Shown }>,
) => sendWhole(req, reply, isPlain(req) ? await drawn(ctx).draw(req.url, draw) : (await draw()).value)

/** What was drawn before is answered before it is routed. */
export const ready = (ctx: Publishing, prepare: Prepare): FindReady => {
  const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

  const prepared = (whole: Whole, url: string): Answers => {
    const { route, own, shared, length } = whole
    // What differs each time comes later, and would otherwise be said twice.
    const later = Object.keys(whole.write().headers ?? {})
    const headers = { ...shared, ...own, ...without(later), 'content-length': length }
    return {
      full: prepare({ url, route, status: 200, headers }),
      unchanged: prepare({ url, route, status: 304, headers: { ...shared, ...without(saidBefore) } }),
    }
  }

  return (url, headers, ip) => {
    const whole = headers.authorization === undefined ? drawn(ctx).find(url) : undefined
    const verdict = whole && ctx.limiter.hitNow(limits.reads, clientOf(ip))
    if (!verdict) return undefined
    whole.answers ??= prepared(whole, url)
    const { answers, version } = whole
    if (version && isKnown(headers, version)) return { prepared: answers.unchanged, verdict, body: '' }
    const { headers: differing, bytes } = whole.write()
    const lines = differing ? headLines(differing) : ''
    return { prepared: answers.full, lines, verdict, body: bytes }
  }
}
