import { AppError } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { describeUpload } from '../../multipart/multipart.ts'
import { refuse } from '../errors.ts'
import { type Call, parameterOf } from '../request.ts'
import { bucketOf } from './places.ts'

const noUpload = (uploadId: string) => refuse('NoSuchUpload', undefined, { fields: { UploadId: uploadId } })

/** An upload that is not over, or was completed, and whose key is that of the request. */
export const uploadOf = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const uploadId = parameterOf(request, 'uploadId') ?? ''
  if (!isUuid(uploadId)) return noUpload(uploadId)
  const ref = { bucketId: bucket.id, uploadId }
  const upload = await describeUpload(ctx, me, ref)
  if (upload.objectKey !== request.key || upload.status === 'failed') return noUpload(uploadId)
  return { bucket, ref, upload }
}

export const pendingUpload = async (call: Call) => {
  const found = await uploadOf(call)
  return found.upload.status === 'pending' ? found : noUpload(found.ref.uploadId)
}

/** The upload may end while a part is on its way. */
export const orNoUpload = async <T>(work: Promise<T>, uploadId: string): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return noUpload(uploadId)
    throw error
  }
}
