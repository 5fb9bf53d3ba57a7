import { AppError, codeOf, forbidden, notFound } from '#platform/errors.ts'
import { preconditionFailed } from '#platform/http/response/conditional.ts'

/** A bucket of another organization is like one that does not exist. */
export const noBucket = () => notFound('No bucket with this id')
export const noObject = () => notFound('No object with this key')
export const noVersion = () => notFound('No version with this id')
export const noUpload = () => notFound('No upload with this id')

const overQuota = {
  organization: 'The storage quota of the organization is exceeded',
  bucket: 'The storage quota of the bucket is exceeded',
  objects:
    'The object quota of the organization is exceeded: it counts objects, deleted ones included, versions, delete ' +
    'markers and pending uploads',
  uploads: 'The organization has 10,000 pending uploads, which is the most: complete or abort some',
}

export const refuseOverQuota = (of: keyof typeof overQuota) => forbidden(overQuota[of])

/** Whether something was refused because of a quota. */
export const isOverQuota = (error: Error) => Object.values(overQuota).includes(error.message)

const nothingToMatch = 'Precondition failed: there is no object with this key'

/** An object that must have a certain entity tag is not there at all, which S3 tells apart. */
export const refuseNothingToMatch = (): never => {
  throw new AppError(412, nothingToMatch)
}

export const isNothingToMatch = (error: Error) => error.message === nothingToMatch

/** For each reason that SQL functions give for a refusal, the status and the words for the client. */
const refusals: Record<string, () => never> = {
  bucket_not_found: noBucket,
  object_not_found: noObject,
  precondition: () => preconditionFailed(),
  nothing_to_match: refuseNothingToMatch,
  plan_expired: () => forbidden('The plan has expired'),
  organization_quota: () => refuseOverQuota('organization'),
  bucket_quota: () => refuseOverQuota('bucket'),
  object_quota: () => refuseOverQuota('objects'),
  too_many_uploads: () => refuseOverQuota('uploads'),
}

const foreignKeyViolation = '23503'

/** Throws what the client is told if a change was refused. A reason without words is a bug. */
export const refuseFor = (reason: string | null) => {
  if (reason === null) return
  refusals[reason]?.()
  throw new Error(`A statement was refused for an unknown reason: ${reason}`)
}

/** Waits for a statement, and throws what the client is told if it was refused as a whole. */
export const orRefuse = async <T>(work: PromiseLike<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'STREF') refuseFor((error as Error).message)
    // The bucket or the upload was deleted meanwhile.
    if (codeOf(error) === foreignKeyViolation) notFound('The bucket or the upload no longer exists')
    throw error
  }
}
