import { invalidArgument, refuse } from './errors.ts'
import { postObject } from './forms/post-object.ts'
import * as policy from './operations/bucket-policy.ts'
import * as settings from './operations/bucket-settings.ts'
import * as buckets from './operations/buckets.ts'
import { completeMultipartUpload } from './operations/complete-upload.ts'
import { copyObject } from './operations/copy-object.ts'
import * as cors from './operations/cors.ts'
import { deleteObject, deleteObjects } from './operations/delete-objects.ts'
import * as lifecycle from './operations/lifecycle.ts'
import { listObjectsV1, listObjectsV2 } from './operations/list-objects.ts'
import { listMultipartUploads, listParts } from './operations/list-uploads.ts'
import * as multipart from './operations/multipart.ts'
import { getObjectAttributes } from './operations/object-attributes.ts'
import * as objectTagging from './operations/object-tagging.ts'
import * as read from './operations/read-object.ts'
import { listObjectVersions, putBucketVersioning } from './operations/versions.ts'
import * as write from './operations/write-object.ts'
import type { Call, Reply, S3Request } from './request.ts'

/** Every operation of S3, by method, by what it is about, and by the query or header that tells it from others. */
export type Operation = {
  name: string
  method: string
  at: 'service' | 'bucket' | 'object'
  query: readonly string[]
  header?: string
  /** Without it: NotImplemented. */
  run?(call: Call): Promise<Reply>
}

type Row = [name: string, method: string, selector: string, run?: (call: Call) => Promise<Reply>]

const table = (at: Operation['at'], rows: Row[]): Operation[] =>
  rows.map(([name, method, selector, run]) => {
    const [query = '', header] = selector.split('@')
    return {
      name,
      method,
      at,
      query: query.split('&').filter((word) => word !== ''),
      ...(header ? { header } : {}),
      ...(run ? { run } : {}),
    }
  })

const nothing = buckets.notConfigured

/** The first that fits is meant, so what needs more comes first. `?a&b`: the query has both; `@c`: there is a header. */
export const operations: readonly Operation[] = [
  ...table('service', [['ListBuckets', 'GET', '', buckets.listBuckets]]),
  ...table('bucket', [
    ['GetBucketLocation', 'GET', 'location', buckets.getBucketLocation],
    ['GetBucketVersioning', 'GET', 'versioning', buckets.getBucketVersioning],
    ['PutBucketVersioning', 'PUT', 'versioning', putBucketVersioning],
    ['GetBucketAcl', 'GET', 'acl', buckets.getBucketAcl],
    ['PutBucketAcl', 'PUT', 'acl', buckets.putBucketAcl],
    ['GetBucketTagging', 'GET', 'tagging', settings.getBucketTagging],
    ['PutBucketTagging', 'PUT', 'tagging', settings.putBucketTagging],
    ['DeleteBucketTagging', 'DELETE', 'tagging', settings.deleteBucketTagging],
    ['GetBucketCors', 'GET', 'cors', cors.getBucketCors],
    ['PutBucketCors', 'PUT', 'cors', cors.putBucketCors],
    ['DeleteBucketCors', 'DELETE', 'cors', cors.deleteBucketCors],
    ['GetBucketPolicyStatus', 'GET', 'policyStatus', policy.getBucketPolicyStatus],
    ['GetBucketPolicy', 'GET', 'policy', policy.getBucketPolicy],
    ['PutBucketPolicy', 'PUT', 'policy', policy.putBucketPolicy],
    ['DeleteBucketPolicy', 'DELETE', 'policy', policy.deleteBucketPolicy],
    ['GetPublicAccessBlock', 'GET', 'publicAccessBlock', settings.getPublicAccessBlock],
    ['PutPublicAccessBlock', 'PUT', 'publicAccessBlock', settings.putPublicAccessBlock],
    ['DeletePublicAccessBlock', 'DELETE', 'publicAccessBlock', settings.deletePublicAccessBlock],
    ['GetBucketOwnershipControls', 'GET', 'ownershipControls', settings.getOwnershipControls],
    ['PutBucketOwnershipControls', 'PUT', 'ownershipControls', settings.putOwnershipControls],
    ['DeleteBucketOwnershipControls', 'DELETE', 'ownershipControls', settings.deleteOwnershipControls],
    ['GetBucketLifecycleConfiguration', 'GET', 'lifecycle', lifecycle.getBucketLifecycle],
    ['PutBucketLifecycleConfiguration', 'PUT', 'lifecycle', lifecycle.putBucketLifecycle],
    ['DeleteBucketLifecycle', 'DELETE', 'lifecycle', lifecycle.deleteBucketLifecycle],
    ['GetBucketEncryption', 'GET', 'encryption', nothing.encryption],
    ['PutBucketEncryption', 'PUT', 'encryption'],
    ['DeleteBucketEncryption', 'DELETE', 'encryption'],
    ['GetBucketNotificationConfiguration', 'GET', 'notification', nothing.notification],
    ['PutBucketNotificationConfiguration', 'PUT', 'notification'],
    ['GetBucketLogging', 'GET', 'logging', nothing.logging],
    ['PutBucketLogging', 'PUT', 'logging'],
    ['GetBucketWebsite', 'GET', 'website', nothing.website],
    ['PutBucketWebsite', 'PUT', 'website'],
    ['DeleteBucketWebsite', 'DELETE', 'website'],
    ['GetBucketReplication', 'GET', 'replication', nothing.replication],
    ['PutBucketReplication', 'PUT', 'replication'],
    ['DeleteBucketReplication', 'DELETE', 'replication'],
    ['GetBucketRequestPayment', 'GET', 'requestPayment', nothing.requestPayment],
    ['PutBucketRequestPayment', 'PUT', 'requestPayment'],
    ['GetBucketAccelerateConfiguration', 'GET', 'accelerate', nothing.accelerate],
    ['PutBucketAccelerateConfiguration', 'PUT', 'accelerate'],
    ['GetObjectLockConfiguration', 'GET', 'object-lock', nothing.objectLock],
    ['PutObjectLockConfiguration', 'PUT', 'object-lock'],
    ['GetBucketAnalyticsConfiguration', 'GET', 'analytics'],
    ['PutBucketAnalyticsConfiguration', 'PUT', 'analytics'],
    ['DeleteBucketAnalyticsConfiguration', 'DELETE', 'analytics'],
    ['GetBucketIntelligentTieringConfiguration', 'GET', 'intelligent-tiering'],
    ['PutBucketIntelligentTieringConfiguration', 'PUT', 'intelligent-tiering'],
    ['DeleteBucketIntelligentTieringConfiguration', 'DELETE', 'intelligent-tiering'],
    ['GetBucketInventoryConfiguration', 'GET', 'inventory'],
    ['PutBucketInventoryConfiguration', 'PUT', 'inventory'],
    ['DeleteBucketInventoryConfiguration', 'DELETE', 'inventory'],
    ['GetBucketMetricsConfiguration', 'GET', 'metrics'],
    ['PutBucketMetricsConfiguration', 'PUT', 'metrics'],
    ['DeleteBucketMetricsConfiguration', 'DELETE', 'metrics'],
    ['CreateSession', 'GET', 'session'],
    ['ListMultipartUploads', 'GET', 'uploads', listMultipartUploads],
    ['ListObjectVersions', 'GET', 'versions', listObjectVersions],
    ['ListObjectsV2', 'GET', 'list-type', listObjectsV2],
    ['ListObjects', 'GET', '', listObjectsV1],
    ['DeleteObjects', 'POST', 'delete', deleteObjects],
    ['PostObject', 'POST', '', postObject],
    ['HeadBucket', 'HEAD', '', buckets.headBucket],
    ['CreateBucket', 'PUT', '', buckets.createBucket],
    ['DeleteBucket', 'DELETE', '', buckets.deleteBucket],
  ]),
  ...table('object', [
    ['ListParts', 'GET', 'uploadId', listParts],
    ['GetObjectAttributes', 'GET', 'attributes', getObjectAttributes],
    ['GetObjectTagging', 'GET', 'tagging', objectTagging.getObjectTagging],
    ['PutObjectTagging', 'PUT', 'tagging', objectTagging.putObjectTagging],
    ['DeleteObjectTagging', 'DELETE', 'tagging', objectTagging.deleteObjectTagging],
    ['GetObjectAcl', 'GET', 'acl', buckets.getObjectAcl],
    ['PutObjectAcl', 'PUT', 'acl', write.putObjectAcl],
    ['GetObjectLegalHold', 'GET', 'legal-hold', write.noObjectLock],
    ['PutObjectLegalHold', 'PUT', 'legal-hold', write.noObjectLock],
    ['GetObjectRetention', 'GET', 'retention', write.noObjectLock],
    ['PutObjectRetention', 'PUT', 'retention', write.noObjectLock],
    ['GetObjectTorrent', 'GET', 'torrent'],
    ['RenameObject', 'PUT', 'renameObject'],
    ['RestoreObject', 'POST', 'restore'],
    ['SelectObjectContent', 'POST', 'select'],
    ['GetObject', 'GET', '', read.getObject],
    ['HeadObject', 'HEAD', '', read.getObject],
    ['UploadPartCopy', 'PUT', 'partNumber&uploadId@x-amz-copy-source', multipart.uploadPartCopy],
    ['UploadPart', 'PUT', 'partNumber&uploadId', multipart.uploadPart],
    ['CopyObject', 'PUT', '@x-amz-copy-source', copyObject],
    ['PutObject', 'PUT', '', write.putObject],
    ['CreateMultipartUpload', 'POST', 'uploads', multipart.createMultipartUpload],
    ['CompleteMultipartUpload', 'POST', 'uploadId', completeMultipartUpload],
    ['AbortMultipartUpload', 'DELETE', 'uploadId', multipart.abortMultipartUpload],
    ['DeleteObject', 'DELETE', '', deleteObject],
  ]),
]

const levelOf = ({ bucket, key }: S3Request): Operation['at'] =>
  bucket === '' ? 'service' : key === '' ? 'bucket' : 'object'

/** A part that lacks its number, or its upload, would become an object. */
const checkPart = (names: ReadonlySet<string>) => {
  if (names.has('uploadId'))
    refuse('MethodNotAllowed', undefined, { fields: { Method: 'PUT', ResourceType: 'UPLOAD' } })
  if (names.has('partNumber'))
    invalidArgument('partNumber', 'partNumber', 'This operation does not accept partNumber without uploadId')
}

/** Sent with every request of S3 Control, another API, whose paths look like those of objects. */
const accountHeader = 'x-amz-account-id'

export const operationFor = (request: S3Request): Operation => {
  if (request.headers.has(accountHeader)) refuse('MethodNotAllowed', 'S3 Control is not supported')
  const names = new Set(request.parameters.map(([name]) => name))
  const at = levelOf(request)
  const found =
    operations.find(
      (operation) =>
        operation.method === request.method &&
        operation.at === at &&
        operation.query.every((name) => names.has(name)) &&
        (operation.header === undefined || request.headers.has(operation.header)),
    ) ?? refuse('MethodNotAllowed')
  if (found.name === 'PutObject' || found.name === 'CopyObject') checkPart(names)
  return found
}
