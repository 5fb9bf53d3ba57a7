import { LRUCache } from 'lru-cache'
import { conditionalHeaders } from '#platform/http/conditional.ts'
import type { FindFastResponse } from '#platform/http/fast-path.ts'
import { moduleState } from '#platform/module-state.ts'
import { limits } from '../access.ts'
import { cachedBytes } from '../blobs/read.ts'
import { evaluate } from '../buckets/authorize.ts'
import { bucketCache } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { recallByKey } from '../guard.ts'
import { keyUses } from '../keys/last-use.ts'
import { traffic } from '../usage/traffic.ts'
import { recallHead } from './heads.ts'
import type { ObjectRef } from './key.ts'
import { aboutObject } from './objects.ts'
import { headersOf, recordSent } from './read/delivery.ts'

/** Which object is at a URL that was downloaded lately. Clients choose the URLs, so their length counts. */
const downloadedUrls = moduleState(
  () =>
    new LRUCache<string, ObjectRef>({
      maxSize: 8 * 1024 * 1024,
      sizeCalculation: ({ key }, url) => 256 + url.length + key.length,
    }),
)

export const noteDownload = (
  ctx: Storage,
  req: { method: string; originalUrl: string },
  object: ObjectRef,
) => {
  if (req.method === 'GET' && !req.originalUrl.includes('?')) downloadedUrls(ctx).set(req.originalUrl, object)
}

const route = '/buckets/:bucketId/objects/:objectKey'

/**
 * Downloads of small objects that are read again and again with an API key: if everything that decides them is in
 * memory, so is the response. Nothing is decided here that the route would not decide in the same way.
 */
export const fastDownloads =
  (ctx: Storage): FindFastResponse =>
  (url, headers, ip) => {
    const ref = downloadedUrls(ctx).get(url)
    if (!ref || headers.range !== undefined) return undefined
    if (conditionalHeaders.some((name) => headers[name] !== undefined)) return undefined
    const me = recallByKey(ctx, headers)
    const bucket = bucketCache(ctx).peek(ref.bucketId)
    const object = recallHead(ctx, ref.bucketId, ref.key)
    if (!me || !object || bucket?.orgId !== me.orgId) return undefined
    const about = { bucket, ...aboutObject(object, ref.key) }
    if (!evaluate(ctx, { ...me, ip }, 'object.read', about).allowed) return undefined
    const body = cachedBytes(ctx, object)
    if (!body || !traffic(ctx).isWithin(me.orgId)) return undefined
    keyUses(ctx).note(me.keyId)
    return {
      route,
      status: 200,
      headers: { ...headersOf(object), 'content-length': String(body.length) },
      body,
      limit: limits.api,
      limitKey: me.keyId,
      onSent: recordSent(ctx, ip, { bucket, object, userId: me.userId }),
    }
  }
