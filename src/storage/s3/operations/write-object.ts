import { AppError } from '#platform/errors.ts'
import { writeConditions } from '#platform/http/conditional.ts'
import { checkKey } from '../../objects/key.ts'
import { deleteKeys, deleteObject as removeObject } from '../../objects/lifecycle/delete.ts'
import { contentTypeOf } from '../../objects/write/headers.ts'
import { uploadBody } from '../../objects/write/upload.ts'
import { checksumHeaders } from '../checksums/sent.ts'
import { asS3Error } from '../error-document.ts'
import { refuse } from '../errors.ts'
import { keptOf, metadataOf } from '../metadata.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { emptyReply, quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, parameterOf, plainHeaders, refuseHeaders, type S3Request } from '../request.ts'
import { tagsInHeader } from '../tagging.ts'
import { childrenOf, readXml, requiredText, textOf } from '../xml/read.ts'
import { askedAcl } from './asked-acl.ts'
import { bucketOf, newKey, versionIn } from './places.ts'

/** What would be stored with an object, but is not yet. */
const unsupported = [
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-customer-algorithm',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-legal-hold',
  'x-amz-write-offset-bytes',
  ...['read', 'read-acp', 'write-acp', 'full-control'].map((name) => `x-amz-grant-${name}`),
]

/** Throws if a request asks for something that a new object cannot have. */
export const checkObjectHeaders = (request: S3Request) => {
  refuseHeaders(request, unsupported)
  const acl = headerOf(request, 'x-amz-acl')
  if (acl !== undefined && acl !== 'private' && acl !== 'bucket-owner-full-control')
    refuse('AccessControlListNotSupported')
}

/** S3's default. */
const anyBytes = 'binary/octet-stream'
export const typeOf = (request: S3Request) => contentTypeOf(headerOf(request, 'content-type') || anyBytes)

export const putObject = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const key = newKey(request.key)
  checkObjectHeaders(request)
  const payload = payloadOf(call)
  const { object } = await uploadBody(ctx, me, {
    bucket,
    key,
    contentType: typeOf(request),
    metadata: () => metadataOf(request),
    kept: () => keptOf(request),
    tags: () => tagsInHeader(request),
    announced: payload.length,
    digests: () => payload.digests,
    conditions: writeConditions(plainHeaders(request)),
    body: payload.stream,
    checksum: payload.checksum,
  })
  return emptyReply(200, { etag: quoted(object.etag), ...checksumHeaders(payload.checksum()) })
}

/** Objects accept the ACLs that say nothing. */
export const putObjectAcl = async (call: Call) => {
  await bucketOf(call)
  const acl = await askedAcl(call)
  if (acl !== 'private' && acl !== 'bucket-owner-full-control') refuse('AccessControlListNotSupported')
  return emptyReply(200)
}

const noVersions = () => refuse('NotImplemented', 'Deleting a version by its id is not supported yet')

const isMissing = (error: unknown) => error instanceof AppError && error.status === 404

/** Deleting what is not there succeeds. */
export const deleteObject = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  if (versionIn(parameterOf(request, 'versionId'), bucket.hasHadVersions) !== undefined) noVersions()
  const conditions = writeConditions(plainHeaders(request))
  const ref = { bucketId: bucket.id, key: checkKey(request.key, 'key') }
  try {
    await removeObject(ctx, me, ref, conditions)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (conditions.ifMatch !== undefined)
      refuse('PreconditionFailed', undefined, { fields: { Condition: 'If-Match' } })
  }
  return emptyReply(204)
}

const maxKeys = 1000

export const deleteObjects = async (call: Call) => {
  const { ctx, me } = call
  const bucket = await bucketOf(call)
  const payload = payloadOf(call)
  if (!payload.isVouchedFor)
    refuse('InvalidRequest', 'Missing required header for this request: Content-MD5 OR x-amz-checksum-*')
  const document = readXml(await readDocument(payload), 'Delete')
  const entries = childrenOf(document, 'Object').map((entry) => ({
    key: requiredText(entry, 'Key'),
    isPlain:
      textOf(entry, 'ETag') === undefined &&
      versionIn(textOf(entry, 'VersionId'), bucket.hasHadVersions) === undefined,
  }))
  if (entries.length === 0 || entries.length > maxKeys)
    refuse('MalformedXML', `A list must have 1 to ${maxKeys} keys`)
  const isQuiet = textOf(document, 'Quiet') === 'true'
  const keys = entries.filter(({ isPlain }) => isPlain).map(({ key }) => key)
  const failures = await deleteKeys(ctx, me, bucket.id, keys)
  const failureOf = ({ key, isPlain }: (typeof entries)[number]) => {
    if (!isPlain)
      return { code: 'NotImplemented', message: 'Versions and entity tags are not supported here yet' }
    const error = failures.get(key)
    return error && !isMissing(error) ? asS3Error(error) : undefined
  }
  return xmlReply('DeleteResult', {
    Deleted: isQuiet ? [] : entries.filter((entry) => !failureOf(entry)).map(({ key }) => ({ Key: key })),
    Error: entries.flatMap((entry) => {
      const failure = failureOf(entry)
      return failure ? { Key: entry.key, Code: failure.code, Message: failure.message } : []
    }),
  })
}
