import { clientOf } from '#platform/addresses.ts'
import { isNotModified } from '#platform/http/response/conditional.ts'
import { minCompressedBytes } from '#platform/http/response/encodings.ts'
import type { FindFastResponse } from '#platform/http/response/fast-path.ts'
import { limits } from '../access.ts'
import type { Publishing } from '../context.ts'
import { responses } from './cache.ts'
import { contentIn, isAtHand, negotiate } from './cached-response.ts'
import { notIn304 } from './send.ts'

const withoutThese = Object.fromEntries(notIn304.map((name) => [name, undefined]))

/** Sends what is in the cache to readers without credentials, as `sendCached` would. */
export const fastResponses =
  (ctx: Publishing): FindFastResponse =>
  (url, headers, ip) => {
    const response = headers.authorization === undefined ? responses(ctx).find(url) : undefined
    // A precondition can fail, and errors are not for the fast path.
    const isPlain = headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined
    if (!response || !isPlain) return undefined
    const { encoding, version, shared } = negotiate(response, headers)
    const isNegotiated = response.size >= minCompressedBytes
    const common = { route: response.route, isNegotiated, limit: limits.reads, limitKey: clientOf(ip) }
    if (version && isNotModified(headers, version))
      return { ...common, status: 304, headers: { ...shared, ...withoutThese }, body: '' }
    const content = isAtHand(response, encoding) && contentIn(response, encoding)
    // The route waits until it is compressed. Later readers find it here.
    if (!content || content instanceof Promise) return undefined
    return { ...common, status: 200, headers: { ...shared, ...content.headers }, body: content.body }
  }
