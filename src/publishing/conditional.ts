import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import type { Config } from '#platform/config.ts'

/**
 * What tells one version of an answer from another. The date decides only if every change of the answer changes it:
 * one that shows what other people wrote can change without a new date.
 */
export type Version = { etag: string; modified: string | null; isDated: boolean }

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

/** What decides about an answer that differs by who asks, beside what decides about every answer. */
export const variesByReader = ({ corsOrigins }: Config) =>
  corsOrigins === '*' ? 'Authorization' : 'Origin, Authorization'

/** For the API document: an answer that is no JSON, and the one that has no body. */
export const answerOf = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: Type.String() } },
})
export const notChanged = { description: 'Not changed since', type: 'null' }
