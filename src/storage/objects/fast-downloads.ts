import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { conditionalHeaders } from '#platform/http/conditional.ts'
import type { FindFastResponse } from '#platform/http/fast-path.ts'
import { limits, recallByKey } from '../access.ts'
import { cachedBytes } from '../blobs/blobs.ts'
import type { Storage } from '../context.ts'
import { decide } from '../policies/authorize.ts'
import { headersOf, recordSent } from './download-routes.ts'
import { recallHead } from './heads.ts'
import { aboutObject } from './objects.ts'

type Place = { bucketId: string; key: string }

/** Which object is at a URL that was downloaded lately. Clients choose the URLs, so their length counts. */
export const createDownloadedUrls = () =>
  new LRUCache<string, Place>({
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: ({ key }, url) => 256 + url.length + key.length,
  })
export type DownloadedUrls = ReturnType<typeof createDownloadedUrls>

export const noteDownload = (ctx: Storage, { method, originalUrl }: FastifyRequest, place: Place) => {
  if (method === 'GET' && !originalUrl.includes('?')) ctx.downloadedUrls.set(originalUrl, place)
}

const route = '/buckets/:bucketId/objects/:objectKey'

/**
 * Downloads of small objects that are read again and again with an API key: if everything that decides them is in
 * memory, so is the response. Nothing is decided here that the route would not decide in the same way.
 */
export const fastDownloads =
  (ctx: Storage): FindFastResponse =>
  (url, headers, ip) => {
    const place = ctx.downloadedUrls.get(url)
    if (!place || headers.range !== undefined) return undefined
    if (conditionalHeaders.some((name) => headers[name] !== undefined)) return undefined
    const me = recallByKey(ctx, headers)
    const bucket = ctx.buckets.peek(place.bucketId)
    const object = recallHead(ctx, place.bucketId, place.key)
    if (!me || !object || bucket?.orgId !== me.orgId) return undefined
    const about = aboutObject(object, place.key)
    if (!decide(ctx, { ...me, ip }, bucket, 'object.read', about).allowed) return undefined
    const body = cachedBytes(ctx, object)
    if (!body || !ctx.traffic.isWithin(me.orgId)) return undefined
    ctx.keyUses.note(me.keyId)
    return {
      route,
      status: 200,
      headers: { ...headersOf(object, false), 'content-length': String(body.length) },
      body,
      limit: limits.api,
      limitKey: me.keyId,
      onSent: recordSent(ctx, ip, { bucket, object, userId: me.userId }),
    }
  }
