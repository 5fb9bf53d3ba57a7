import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Lru, lru } from '#platform/cache/lru.ts'
import type { FindReady, Prepare, Prepared } from '#platform/http/ready.ts'
import { moduleState } from '#platform/module-state.ts'
import { limits } from '../access.ts'
import { cachedBytes } from '../blobs/read.ts'
import { evaluate } from '../buckets/authorize.ts'
import { type BucketFacts, bucketCache } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { recallByKey } from '../guard.ts'
import { keyUses } from '../keys/last-use.ts'
import { traffic as trafficOf } from '../usage/traffic.ts'
import { recallHead } from './heads.ts'
import { aboutObject, type ObjectHead } from './objects.ts'
import { headersOf, recordSent } from './read/delivery.ts'

/** Who may read, and what, as decided for one key and address; true until anything at all changes. */
type Grant = {
  version: number
  key: unknown
  secret: unknown
  ip: string
  me: Exclude<ReturnType<typeof recallByKey>, '' | undefined>
  bucket: BucketFacts
  object: ObjectHead
}
/** Addresses that were just answered with a whole object, and which one. */
type Place = { bucketId: string; key: string; grant?: Grant | undefined; answer?: Answer }
type Answer = { object: ObjectHead; prepared: Prepared }
const hotPlaces = moduleState((): Lru<Place> => lru(20_000))

export const noteHot = (ctx: Storage, { method, originalUrl }: FastifyRequest, place: Place) => {
  if (method === 'GET' && !originalUrl.includes('?')) hotPlaces(ctx).set(originalUrl, place)
}

const route = '/buckets/:bucketId/objects/:objectKey'
/** Written out: a loop over the names takes as long as all the rest. */
const isConditional = (headers: IncomingHttpHeaders) =>
  headers.range !== undefined ||
  headers['if-match'] !== undefined ||
  headers['if-none-match'] !== undefined ||
  headers['if-modified-since'] !== undefined ||
  headers['if-unmodified-since'] !== undefined

/**
 * Downloads of objects that are read again and again: if everything that decides them is in memory, so is the
 * answer. Nothing is decided here that the route would not decide in the same way, from the same memory.
 */
export const hotDownloads = (ctx: Storage, prepare: Prepare): FindReady => {
  const { limiter } = ctx
  const traffic = trafficOf(ctx)
  const prepared = (place: Place, url: string, object: ObjectHead) => {
    if (place.answer?.object === object) return place.answer.prepared
    const headers = { ...headersOf(object, false), 'content-length': object.size_bytes }
    place.answer = { object, prepared: prepare({ url, route, status: 200, headers }) }
    return place.answer.prepared
  }

  const grantFor = (place: Place, headers: IncomingHttpHeaders, ip: string): Grant | undefined => {
    const { version } = ctx.signals
    const { 'x-api-key': key, 'x-api-secret': secret } = headers
    const me = recallByKey(ctx, headers)
    const bucket = bucketCache(ctx).peek(place.bucketId)
    const object = recallHead(ctx, place.bucketId, place.key)
    if (!me || !object || bucket?.orgId !== me.orgId) return undefined
    if (!evaluate(ctx, { ...me, ip }, 'object.read', { bucket, ...aboutObject(object, place.key) }).allowed)
      return undefined
    const grant = { version, key, secret, ip, me, bucket, object }
    // A policy may depend on the time.
    place.grant = bucket.policy.length === 0 ? grant : undefined
    return grant
  }
  const isStillTrue = (grant: Grant, headers: IncomingHttpHeaders, ip: string) =>
    ctx.signals.reliable &&
    grant.version === ctx.signals.version &&
    grant.key === headers['x-api-key'] &&
    grant.secret === headers['x-api-secret'] &&
    grant.ip === ip

  return (url, headers, ip) => {
    const place = hotPlaces(ctx).get(url)
    if (!place || isConditional(headers)) return undefined
    const known = place.grant
    const grant = known && isStillTrue(known, headers, ip) ? known : grantFor(place, headers, ip)
    if (!grant) return undefined
    const { me, bucket, object } = grant
    const bytes = cachedBytes(ctx, object)
    if (!bytes || !traffic.isWithin(me.orgId)) return undefined
    // Last, because it counts; a refused one is not counted, and is told by the route.
    const verdict = limiter.hitNow(limits.api, me.keyId)
    if (!verdict) return undefined
    keyUses(ctx).note(me.keyId)
    const sent = recordSent(ctx, ip, { bucket, object, userId: me.userId })
    return { prepared: prepared(place, url, object), verdict, body: bytes, sent }
  }
}
