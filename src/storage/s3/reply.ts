import type { Reply } from './request.ts'
import { xmlDocument } from './xml/write.ts'

export const xmlType = 'application/xml'

export const xmlReply = (
  root: string,
  content: Parameters<typeof xmlDocument>[1],
  headers: Reply['headers'] = {},
): Reply => ({
  status: 200,
  headers: { 'content-type': xmlType, ...headers },
  body: xmlDocument(root, content),
})

export const emptyReply = (status: 200 | 204, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers,
  body: '',
})

export const quoted = (etag: string) => `"${etag}"`
