import { AppError, invalid } from '#platform/errors.ts'
import { streamOf } from '#platform/http/response/bytes.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Principal, Storage } from '../../context.ts'
import { checkKey } from '../key.ts'
import type { ObjectBatch } from '../schema.ts'
import { checkMetadata, checksumIn, contentTypeOf, digestsOf, keptInFields } from './headers.ts'
import { authorizeUpload, receiveBody } from './receive.ts'
import { storeUpload, type Written } from './write.ts'

type Item = ObjectBatch['objects'][number]

const refuseRepeated = (items: readonly Item[]) => {
  const keys = new Set<string>()
  for (const [n, { key }] of items.entries()) {
    if (keys.has(key)) invalid(`objects.${n}.key`, 'must not be there twice')
    keys.add(key)
  }
}

const receiveOne = async (ctx: Storage, me: Principal, bucket: BucketFacts, item: Item) => {
  const data = Buffer.from(item.data, 'base64')
  const digests = digestsOf({ 'content-digest': item.contentDigest ?? undefined })
  const key = checkKey(item.key, 'key')
  const contentType = contentTypeOf(item.contentType ?? undefined)
  authorizeUpload(ctx, me, { bucket, key, contentType, size: data.length })
  const upload = {
    bucket,
    key,
    contentType,
    metadata: checkMetadata(item.metadata ?? {}),
    kept: keptInFields(item),
    conditions: { ifMatch: item.ifMatch ?? undefined, ifNoneMatch: item.ifNoneMatch ?? undefined },
  }
  const body = data.length > 0 ? streamOf(data) : null
  const blob = await receiveBody(ctx, upload, { body, announced: data.length, digests })
  return { upload, received: { blob, checksum: checksumIn(digests) } }
}

/** Whether only this object is refused, and the others can be stored. */
const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

/** What became of each; throws if one of them failed for a reason that concerns all. */
const settled = async <T>(works: readonly Promise<T>[]): Promise<(T | AppError)[]> =>
  (await Promise.allSettled(works)).map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value
    if (isRefusal(outcome.reason)) return outcome.reason
    throw outcome.reason
  })

/**
 * Stores several small objects, each as if it had been sent alone. All bytes are received before the first object is
 * written, so that the writes share statements. What is refused does not affect the others. If the database is lost
 * meanwhile, some may be stored already; what was received of the rest is removed later, like that of any upload.
 */
export const uploadBatch = async (
  ctx: Storage,
  me: Principal,
  bucket: BucketFacts,
  { objects: items }: ObjectBatch,
) => {
  refuseRepeated(items)
  const received = await settled(items.map((item) => receiveOne(ctx, me, bucket, item)))
  const outcomes = await settled(
    received.map(async (each) =>
      each instanceof AppError ? each : storeUpload(ctx, me, each.upload, each.received),
    ),
  )
  return {
    uploaded: outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [storedOf(outcome)])),
    errors: items.flatMap(({ key }, n) => {
      const outcome = outcomes[n]
      return outcome instanceof AppError ? [{ key, status: outcome.status, message: outcome.message }] : []
    }),
  }
}

const storedOf = ({ object }: Written) => ({
  key: object.object_key,
  sizeBytes: object.size_bytes,
  etag: object.etag,
})
