import type { IncomingHttpHeaders } from 'node:http'

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
