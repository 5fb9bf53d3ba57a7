import { AppError, forbidden, notFound } from '#platform/errors.ts'
import { preconditionFailed } from '#platform/http/response/conditional.ts'
import type { Refusals } from '#platform/refusals.ts'

/** A bucket of another organization is like one that does not exist. */
export const noBucket = () => notFound('No bucket with this id')
export const noObject = () => notFound('No object with this key')
export const noVersion = () => notFound('No version with this id')
export const noUpload = () => notFound('No upload with this id')

export const refuseExpiredPlan = () => forbidden('The plan has expired', 'plan_expired')

const overQuota = {
  organization_quota: 'The storage quota of the organization is exceeded',
  bucket_quota: 'The storage quota of the bucket is exceeded',
  object_quota:
    'The object quota of the organization is exceeded: it counts objects, deleted ones included, versions, delete ' +
    'markers and pending uploads',
  too_many_uploads: 'The organization has 10,000 pending uploads, which is the most: complete or abort some',
}

export const refuseOverQuota = (reason: keyof typeof overQuota) => forbidden(overQuota[reason], reason)

/** Whether something was refused because of a quota. */
export const isOverQuota = ({ code }: AppError) => Object.hasOwn(overQuota, code)

const nothingToMatch = 'Precondition failed: there is no object with this key'

/** An object that must have a certain entity tag is not there at all, which S3 tells apart. */
export const refuseNothingToMatch = (): never => {
  throw new AppError(412, nothingToMatch)
}

export const isNothingToMatch = (error: Error) => error.message === nothingToMatch

/** For each reason for which SQL functions refuse a statement, the status and the words for the client. */
export const usageRefusals = {
  bucket_not_found: noBucket,
  plan_expired: refuseExpiredPlan,
  organization_quota: () => refuseOverQuota('organization_quota'),
  bucket_quota: () => refuseOverQuota('bucket_quota'),
  object_quota: () => refuseOverQuota('object_quota'),
  too_many_uploads: () => refuseOverQuota('too_many_uploads'),
} satisfies Refusals

/** The same, and the reasons for which one of several changes in a statement is refused. */
const refusals: Refusals = {
  ...usageRefusals,
  object_not_found: noObject,
  precondition: () => preconditionFailed(),
  nothing_to_match: refuseNothingToMatch,
}

/** Throws what the client is told if a change was refused. A reason without words is a bug. */
export const refuseFor = (reason: string | null) => {
  if (reason === null) return
  refusals[reason]?.({})
  throw new Error(`A change was refused for an unknown reason: ${reason}`)
}
