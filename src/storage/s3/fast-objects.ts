import type { IncomingHttpHeaders } from 'node:http'
import { conditionalHeaders } from '#platform/http/conditional.ts'
import type { FastResponse, FindFastResponse } from '#platform/http/fast-path.ts'
import { inert } from '#platform/http/headers.ts'
import { limits } from '../access.ts'
import { cachedBytes } from '../blobs/read.ts'
import { evaluate } from '../buckets/authorize.ts'
import { recallBucketNamed } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { recallHead } from '../objects/heads.ts'
import { aboutObject, type ObjectHead } from '../objects/objects.ts'
import { recordSent } from '../objects/read/delivery.ts'
import { traffic } from '../usage/traffic.ts'
import { recallSigner } from './authenticate.ts'
import { checksumHeaders } from './checksums/sent.ts'
import { mayExpire } from './operations/expiration.ts'
import { expectedOwners, versionHeader, versionIdOf } from './operations/places.ts'
import { headersOf } from './operations/read-object.ts'
import { headerOf, readRequest, type S3Request } from './request.ts'

/** Headers of the other APIs, which are for JSON and pages, or about origins that only a bucket can decide on. */
export const notHere = [
  'cache-control',
  'referrer-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
]
const leftOut = Object.fromEntries(notHere.map((name) => [name, undefined]))

/** Part of a content, a condition or an origin takes more to decide. */
const isUsual = (headers: IncomingHttpHeaders) =>
  headers.authorization !== undefined &&
  headers.origin === undefined &&
  headers.range === undefined &&
  !expectedOwners.some((name) => headers[name] !== undefined) &&
  !conditionalHeaders.some((name) => headers[name] !== undefined)

/** SDKs say in the query which operation they mean. */
const isWhole = ({ key, parameters }: S3Request) =>
  key !== '' && parameters.every(([name, value]) => name === 'x-id' && value === 'GetObject')

/** Computed once for as long as the object is cached. */
const described = new WeakMap<ObjectHead, FastResponse['headers']>()
const fastHeadersOf = (object: ObjectHead) => {
  const headers = described.get(object) ?? {
    ...leftOut,
    ...inert,
    ...headersOf(object),
    'content-length': String(object.size_bytes),
  }
  described.set(object, headers)
  return headers
}

const find = (ctx: Storage, request: S3Request): FastResponse | undefined => {
  const signer = isWhole(request) ? recallSigner(ctx, request) : undefined
  const bucket = signer && recallBucketNamed(ctx, signer.me.orgId, request.bucket)
  const object = bucket && recallHead(ctx, bucket.id, request.key)
  const body = object && cachedBytes(ctx, object)
  if (!body || mayExpire(ctx, bucket)) return undefined
  const { me, verify } = signer
  const about = { bucket, ...aboutObject(object, request.key) }
  if (!evaluate(ctx, me, 'object.read', about).allowed || !traffic(ctx).isWithin(me.orgId)) return undefined
  verify()
  const wantsChecksum = headerOf(request, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED'
  return {
    route: '/*',
    status: 200,
    headers: {
      ...fastHeadersOf(object),
      ...versionHeader(bucket, versionIdOf(object)),
      ...(wantsChecksum ? checksumHeaders(object.checksum) : {}),
    },
    idHeader: 'x-amz-request-id',
    body,
    limit: limits.s3,
    limitKey: me.keyId as string,
    onSent: recordSent(ctx, me.ip, { bucket, object, userId: me.userId }),
  }
}

/**
 * Small objects that are read again and again: if everything that decides the response is in memory, so is the response.
 * Nothing is decided here that the route would not decide in the same way, and everything that is refused is left to it.
 */
export const fastObjects =
  (ctx: Storage): FindFastResponse =>
  (url, headers, ip, rawHeaders) => {
    if (!isUsual(headers)) return undefined
    try {
      return find(
        ctx,
        readRequest({ method: 'GET', url, rawHeaders }, { id: '', ip, domain: ctx.config.s3Domain }),
      )
    } catch {
      return undefined
    }
  }
