import { writeConditions } from '#platform/http/conditional.ts'
import { expecting } from '../arrivals/arrivals.ts'
import { receiveBlob } from '../blobs/blobs.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { bucketFor, demand } from '../policies/authorize.ts'
import { type IncomingForm, readForm } from './form.ts'
import { announcedLength, contentTypeOf, digestsOf, metadataInHeaders, type RawRequest } from './headers.ts'
import { headOf } from './heads.ts'
import { storeUpload, type Upload } from './objects.ts'
import type { Writer } from './place.ts'

/** A raw body under the key in its address. */
export const uploadRaw = async (
  ctx: Storage,
  me: Writer,
  bucket: BucketFacts,
  key: string,
  { headers, body }: RawRequest,
  max?: number,
) => {
  const contentType = contentTypeOf(headers['content-type'] as string | undefined)
  const announced = announcedLength(headers)
  demand(ctx, me, bucket, 'object.write', { key, contentType, size: announced, tentative: true })
  const metadata = metadataInHeaders(headers)
  const digests = digestsOf(headers)
  const replaces = {
    name: `${bucket.id}/${key}`,
    bytes: async () =>
      bucket.versioningEnabled ? 0 : ((await headOf(ctx, bucket.id, key))?.size_bytes ?? 0),
  }
  const blob = await expecting(ctx, { bucket, announced, max, replaces, body }, (grow) =>
    receiveBlob(ctx, body, { announced, digests, max, grow }),
  )
  const conditions = writeConditions(headers)
  return storeUpload(ctx, me, bucket, { key, contentType, metadata, blob, conditions })
}

/** So much of a form may be something else than the file: twenty fields of 64 KiB, and what is said of each part. */
const besidesFile = 4 * 1024 * 1024

/** The form that browsers send, with its bytes taken in but nothing of it stored yet. */
export const receiveForm = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  incoming: IncomingForm,
  { keyRequired }: { keyRequired: boolean },
) => {
  const bucket = await bucketFor(ctx, me, bucketId, 'object.write', { tentative: true })
  const conditions = writeConditions(incoming.headers)
  const length = announcedLength(incoming.headers)
  const announced = length && Math.max(0, length - besidesFile)
  // The key comes with the form, or after the file: any object may be the one that is replaced.
  const replaces = {
    name: bucket.id,
    bytes: ({ live }: { live: number }) => (bucket.versioningEnabled ? 0 : live),
  }
  const form = await expecting(ctx, { bucket, announced, replaces }, (grow) =>
    readForm(ctx, incoming, { keyRequired, grow }),
  )
  return { bucket, upload: { ...form, conditions } }
}

/** What makes two forms the same. */
export const substanceOf = ({ blob, ...described }: Upload) => ({
  ...described,
  size: blob.size,
  md5: blob.md5.toString('hex'),
})

export const storeForm = (ctx: Storage, me: Principal, { bucket, upload }: ReceivedForm) =>
  storeUpload(ctx, me, bucket, upload)
type ReceivedForm = Awaited<ReturnType<typeof receiveForm>>
