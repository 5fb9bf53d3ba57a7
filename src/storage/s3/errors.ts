import { AppError } from '#platform/errors.ts'

/** S3's error codes with their statuses and usual messages. */
const codes = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: This CORS request is not allowed'],
  AuthorizationHeaderMalformed: [400, 'The authorization header that you provided is not valid'],
  AuthorizationQueryParametersError: [
    400,
    'The authorization query parameters that you provided are not valid',
  ],
  BadDigest: [400, 'The digest that you specified did not match what we received'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyOwnedByYou: [409, 'The bucket that you tried to create already exists, and you own it'],
  BucketNotEmpty: [409, 'The bucket that you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed object size'],
  IncompleteBody: [400, 'The body ended before it was complete'],
  InternalError: [500, 'We encountered an internal error. Please try again'],
  InvalidAccessKeyId: [403, 'The access key id that you provided does not exist'],
  InvalidArgument: [400, 'Invalid argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid'],
  InvalidDigest: [400, 'The Content-MD5 that you specified is not valid'],
  InvalidPart: [
    400,
    'One or more of the specified parts could not be found, or their entity tag is another one',
  ],
  InvalidPartNumber: [416, 'The requested part number is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order'],
  InvalidPolicyDocument: [400, 'The content of the form does not meet the conditions of a policy document'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRedirectLocation: [
    400,
    "The website redirect location must have a prefix of 'http://' or 'https://' or '/'",
  ],
  InvalidRequest: [400, 'Invalid request'],
  InvalidStorageClass: [400, 'The storage class that you specified is not valid'],
  InvalidTag: [400, 'The tag that you provided was not valid'],
  InvalidToken: [400, 'The provided token is malformed or otherwise not valid'],
  InvalidURI: [400, 'The specified URI could not be parsed'],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data'],
  MalformedPolicy: [400, 'The policy is not valid'],
  MalformedXML: [400, 'The XML that you provided was not well formed or did not validate'],
  MaxPostPreDataLengthExceeded: [400, 'Your POST request fields preceding the upload file were too large'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchPublicAccessBlockConfiguration: [404, 'The public access block configuration was not found'],
  NoSuchTagSet: [404, 'The TagSet does not exist'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist'],
  NoSuchVersion: [404, 'The specified version does not exist'],
  NoSuchWebsiteConfiguration: [404, 'The specified bucket does not have a website configuration'],
  NotImplemented: [501, 'A header or query that you provided implies functionality that is not implemented'],
  NotModified: [304, 'Not modified'],
  ObjectLockConfigurationNotFoundError: [404, 'Object Lock configuration does not exist for this bucket'],
  PreconditionFailed: [412, 'At least one of the preconditions that you specified did not hold'],
  QuotaExceeded: [403, 'The storage quota is exceeded'],
  ReplicationConfigurationNotFoundError: [404, 'The replication configuration was not found'],
  RequestTimeout: [400, 'Your socket connection to the server was not read from or written to in time'],
  RequestTimeTooSkewed: [
    403,
    'The difference between the request time and the time of this server is too large',
  ],
  ServerSideEncryptionConfigurationNotFoundError: [
    404,
    'The server side encryption configuration was not found',
  ],
  ServiceUnavailable: [503, 'Service is unable to handle the request'],
  SignatureDoesNotMatch: [
    403,
    'The request signature that we calculated does not match the signature that you provided. Check your secret key and signing method',
  ],
  SlowDown: [503, 'Please reduce your request rate'],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed",
  ],
} as const satisfies Record<string, readonly [number, string]>

export type S3Code = keyof typeof codes

type Extra = {
  /** Elements of the error document besides the usual ones. */
  fields?: Record<string, string | number>
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal in the words of S3. */
export class S3Error extends AppError {
  readonly fields: Readonly<Record<string, string | number>>

  constructor(code: S3Code, message?: string, { fields = {}, headers = {}, cause }: Extra = {}) {
    const [status, usual] = codes[code]
    super(status, message ?? usual, { code, headers, cause })
    this.name = 'S3Error'
    this.fields = fields
  }
}

export const refuse = (code: S3Code, message?: string, extra?: Extra): never => {
  throw new S3Error(code, message, extra)
}

/** What the rules of other modules refuse is refused under this code. */
export const refusingAs = <T>(code: S3Code, check: () => T): T => {
  try {
    return check()
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && !(error instanceof S3Error))
      return refuse(code, error.message)
    throw error
  }
}

export const invalidArgument = (name: string, value: string, message = 'Invalid argument') =>
  refuse('InvalidArgument', message, { fields: { ArgumentName: name, ArgumentValue: value } })

/** Fields of a form that are needed have to come before its file. */
export const lacksField = (name: string) =>
  invalidArgument(
    name,
    '',
    `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
  )
