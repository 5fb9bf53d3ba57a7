import type { AppError } from '#platform/errors.ts'
import type { ErrorDocument } from '#platform/http/service.ts'
import { isNothingToMatch, isOverQuota } from '../refusals.ts'
import { type S3Code, S3Error } from './errors.ts'
import { xmlType } from './reply.ts'
import { parameterOf, type S3Request } from './request.ts'
import { plainDocument } from './xml/write.ts'

/** Codes for what other modules refuse, by status. */
const byStatus: Record<number, S3Code> = {
  400: 'InvalidArgument',
  401: 'AccessDenied',
  403: 'AccessDenied',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'InvalidRequest',
  412: 'PreconditionFailed',
  413: 'EntityTooLarge',
  416: 'InvalidRange',
  429: 'SlowDown',
  431: 'InvalidRequest',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
  // The version of HTTP is one of the things that a client may get wrong.
  505: 'InvalidRequest',
  507: 'ServiceUnavailable',
}

/** What a 404 of another module is about. Without a request, its URL could not be read. */
const missing = (request: S3Request | null): S3Code => {
  if (!request) return 'InvalidURI'
  if (request.key === '') return 'NoSuchBucket'
  if (parameterOf(request, 'uploadId') !== undefined) return 'NoSuchUpload'
  return parameterOf(request, 'versionId') === undefined ? 'NoSuchKey' : 'NoSuchVersion'
}

/** The error in the words of S3. */
export const asS3Error = (error: AppError, request: S3Request | null = null): S3Error => {
  if (error instanceof S3Error) return error
  const { status, message, headers, details, cause } = error
  if (status === 404) return new S3Error(missing(request), undefined, { headers })
  if (isNothingToMatch(error)) return new S3Error('NoSuchKey')
  if (isOverQuota(error)) return new S3Error('QuotaExceeded', message, { headers })
  const code = byStatus[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError')
  // Which statement of the policy has decided.
  const deciding = status === 403 ? details?.[0] : undefined
  const words = deciding
    ? `Access Denied: ${deciding.reason}`
    : code === 'InternalError'
      ? undefined
      : message
  const fields = deciding ? { Statement: deciding.field } : {}
  return new S3Error(code, words, { fields, headers, cause })
}

/** The response to a request that is refused. */
export const errorDocument = (error: AppError, id: string, request: S3Request | null): ErrorDocument => {
  const { status, code, message, fields } = asS3Error(error, request)
  return {
    status,
    headers: { 'content-type': xmlType, 'x-amz-request-id': id },
    body: plainDocument('Error', {
      Code: code,
      Message: message,
      ...fields,
      Resource: request?.path,
      RequestId: id,
      HostId: id,
    }),
  }
}
