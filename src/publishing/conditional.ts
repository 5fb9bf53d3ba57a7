import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

/** Whether the client has this version already. An ETag decides alone where one is sent. */
export const isKnown = (
  { 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, modified }: { etag: string; modified: string | null },
) => {
  if (tags !== undefined)
    return tags === etag || tags.trim() === '*' || tags.split(',').some((tag) => bare(tag) === etag)
  if (since === undefined || modified === null) return false
  return since === modified || Date.parse(since) >= Date.parse(modified)
}

const bare = (tag: string) => tag.trim().replace(/^W\//, '')

/** What the answer that is known already said of itself, and need not say again. */
const saidBefore = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'access-control-expose-headers',
]

/** A 304 as small as it may be. Its type must stay: without one, no body would be taken for the JSON `null`. */
export const nothingNew = (reply: FastifyReply) => {
  for (const name of saidBefore) reply.removeHeader(name)
  reply.code(304)
  return null
}

/** For the API document: an answer that is no JSON, and the one that has no body. */
export const answerOf = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: Type.String() } },
})
export const notChanged = { description: 'Not changed since', type: 'null' }
