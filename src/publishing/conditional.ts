import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '#platform/config.ts'

/**
 * What tells one version of an answer from another. The date decides only if every change of the answer changes it:
 * one that shows what other people wrote can change without a new date.
 */
export type Version = { etag: string; modified: string | null; isDated: boolean }

/** A whole answer, ready to be sent to everybody who asks for the same. */
export type Ready = Version & { body: Buffer; type: string }

const bare = (tag: string) => tag.trim().replace(/^W\//, '')

/** Whether the client has this version already. An ETag decides alone where one is sent. */
export const isKnown = (
  { 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, modified, isDated }: Version,
) => {
  if (tags !== undefined)
    return tags === etag || tags.trim() === '*' || tags.split(',').some((tag) => bare(tag) === bare(etag))
  if (since === undefined || modified === null || !isDated) return false
  return since === modified || Date.parse(since) >= Date.parse(modified)
}

/** What the answer that is known already said of itself, and need not say again. */
const saidBefore = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'access-control-expose-headers',
]

/** A 304 as small as it may be. It keeps the policy, and so the nonce, of the answer that the client has. */
export const nothingNew = (reply: FastifyReply) => {
  for (const name of saidBefore) reply.removeHeader(name)
  return reply.code(304).send()
}

/** Sends an answer, or says that the client has it. `headers` are those of both. */
export const sendReady = (
  req: FastifyRequest,
  reply: FastifyReply,
  ready: Ready,
  headers: Record<string, string>,
) => {
  reply.headers(headers).header('etag', ready.etag)
  if (ready.modified !== null) reply.header('last-modified', ready.modified)
  return isKnown(req.headers, ready)
    ? nothingNew(reply)
    : reply.header('content-type', ready.type).send(ready.body)
}

/** What decides about an answer that differs by who asks, beside what decides about every answer. */
export const variesByReader = ({ corsOrigins }: Config) =>
  corsOrigins === '*' ? 'Authorization' : 'Origin, Authorization'

/** For the API document: an answer that is no JSON, and the one that has no body. */
export const answerOf = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: Type.String() } },
})
export const notChanged = { description: 'Not changed since', type: 'null' }
