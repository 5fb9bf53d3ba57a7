import type { Storage } from '../context.ts'
import type { Reply, S3Request } from './request.ts'
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

/** Where an object is found, in path style. */
export const addressOf = ({ config }: Storage, { bucket, key }: Pick<S3Request, 'bucket' | 'key'>) =>
  `${config.urls.s3}/${bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`

export const quoted = (etag: string) => `"${etag}"`
