import { discardBlob, receiveBlob } from '../blobs/blobs.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { bucketFor, demand } from '../policies/authorize.ts'
import type { Subject } from '../policies/evaluate.ts'
import { writeConditions } from './conditional.ts'
import { type IncomingForm, readForm } from './form.ts'
import { announcedLength, contentTypeOf, digestsOf, metadataInHeaders, type RawRequest } from './headers.ts'
import { headOf } from './heads.ts'
import { storeUpload, type Upload } from './objects.ts'

/** The caller, or whoever signed the address that is being used. */
export type Writer = Subject & { orgId: string }

/** Asked when everything is known that a policy may ask about; if it refuses, the bytes go. */
const storeAllowed = async (ctx: Storage, me: Writer, bucket: BucketFacts, upload: Upload) => {
  try {
    const objectId = bucket.policy.length > 0 ? (await headOf(ctx, bucket.id, upload.key))?.id : undefined
    const { key, contentType, blob } = upload
    demand(ctx, me, bucket, 'object.write', { key, contentType, size: blob.size, objectId })
  } catch (error) {
    await discardBlob(ctx, upload.blob)
    throw error
  }
  return storeUpload(ctx, me, bucket, upload)
}

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
  const blob = await receiveBlob(ctx, body, { announced, digests, max })
  const conditions = writeConditions(headers)
  return storeAllowed(ctx, me, bucket, { key, contentType, metadata, blob, conditions })
}

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
  return { bucket, upload: { ...(await readForm(ctx, incoming, { keyRequired })), conditions } }
}

/** What makes two forms the same. */
export const substanceOf = ({ blob, ...described }: Upload) => ({
  ...described,
  size: blob.size,
  md5: blob.md5.toString('hex'),
})

export const storeForm = (ctx: Storage, me: Principal, { bucket, upload }: ReceivedForm) =>
  storeAllowed(ctx, me, bucket, upload)
type ReceivedForm = Awaited<ReturnType<typeof receiveForm>>
