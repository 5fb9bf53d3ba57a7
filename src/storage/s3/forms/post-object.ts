import { Readable } from 'node:stream'
import { unconditional } from '#platform/http/response/conditional.ts'
import type { Principal, Storage } from '../../context.ts'
import { checkObjectTags } from '../../objects/tags/tags.ts'
import { authorizeUpload, receiveBody } from '../../objects/write/receive.ts'
import { storeUpload } from '../../objects/write/write.ts'
import { authenticateForm } from '../authenticate.ts'
import { algorithmNamed, checksumHeaders, usualAlgorithm } from '../checksums/sent.ts'
import { lacksField, refuse } from '../errors.ts'
import { keptOf, metadataOf } from '../metadata.ts'
import { bucketOf, newKey, versionHeader } from '../operations/places.ts'
import { checkObjectHeaders, typeOf } from '../operations/write-object.ts'
import { payloadOf } from '../payload.ts'
import { addressOf, emptyReply, quoted, xmlType } from '../reply.ts'
import { type Call, headerOf, type Reply, type S3Request } from '../request.ts'
import { tagsInDocument } from '../tagging.ts'
import { plainDocument } from '../xml/write.ts'
import { type Form, isFormType, readForm } from './parse.ts'
import { checkPolicy, readPolicy, withinSize } from './policy.ts'

/** A request whose signature is in the form that it carries. */
export const isForm = (request: S3Request) =>
  request.method === 'POST' &&
  request.bucket !== '' &&
  request.key === '' &&
  isFormType(headerOf(request, 'content-type') ?? '')

/** What a POST to a bucket is that was signed in another way. */
export const postObject = async ({ request }: Call): Promise<Reply> =>
  isForm(request)
    ? refuse('InvalidArgument', 'Only one authorization mechanism is allowed: that of the form')
    : refuse('PreconditionFailed', 'Bucket POST must be of the enclosure-type multipart/form-data', {
        fields: { Condition: 'Bucket POST must be of the enclosure-type multipart/form-data' },
      })

/** Fields that are signed, or checked as they are. */
const verbatim = ['policy', 'x-amz-signature', 'x-amz-credential', 'x-amz-algorithm', 'x-amz-date']

/** Every other field may refer to the name of the file, without the folders that some browsers send. */
const expanded = ({ fields, fileName }: Form) => {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
  return new Map(
    [...fields].map(([field, value]) => [
      field,
      verbatim.includes(field) ? value : value.replace(/\$\{filename\}/g, () => name),
    ]),
  )
}

const asHeader: Record<string, string> = { acl: 'x-amz-acl' }
const isHeader = (name: string) =>
  /^(cache-control|content-(type|disposition|encoding|language|md5)|expires)$/.test(name) ||
  /^x-amz-(meta-|checksum-|sdk-checksum-algorithm$|storage-class$|website-|server-side-|object-lock-|grant-)/.test(
    name,
  )

/** The same as a request whose headers are the fields. Headers are bytes, each of which Node takes for a character. */
const asRequest = (request: S3Request, fields: ReadonlyMap<string, string>, key: string): S3Request => ({
  ...request,
  key,
  headers: new Map(
    [...fields]
      .map(([name, value]) => [asHeader[name] ?? name, value] as const)
      .filter(([name]) => isHeader(name) || Object.values(asHeader).includes(name))
      .map(([name, value]) => [name, [Buffer.from(value).toString('latin1')]]),
  ),
})

const redirectTo = (fields: ReadonlyMap<string, string>, found: Record<string, string>) => {
  const text = fields.get('success_action_redirect') ?? fields.get('redirect') ?? ''
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  for (const [name, value] of Object.entries(found)) url?.searchParams.set(name, value)
  return url?.href
}

/** The response that the form asks for. */
const replyFor = (
  fields: ReadonlyMap<string, string>,
  {
    location,
    bucket,
    key,
    etag,
    headers,
  }: Record<'location' | 'bucket' | 'key' | 'etag', string> & {
    headers: Record<string, string>
  },
): Reply => {
  const all = { etag, location, ...headers }
  const redirect = redirectTo(fields, { bucket, key, etag })
  if (redirect !== undefined) return { status: 303, headers: { ...all, location: redirect }, body: '' }
  const status = fields.get('success_action_status')
  if (status === '200') return emptyReply(200, all)
  if (status !== '201') return emptyReply(204, all)
  const body = plainDocument('PostResponse', { Location: location, Bucket: bucket, Key: key, ETag: etag })
  return { status: 201, headers: { ...all, 'content-type': xmlType }, body }
}

/** Tags are a document here, unlike in headers. */
const tagsIn = (fields: ReadonlyMap<string, string>) => {
  const text = fields.get('tagging')
  return text === undefined ? [] : tagsInDocument(text, checkObjectTags)
}

/** Stores the file of a form whose policy allows it. `admit` throws if too many requests come from its signer. */
export const postForm = async (
  ctx: Storage,
  request: S3Request,
  body: Readable | null,
  admit: (signer: Principal) => Promise<void>,
): Promise<Reply> => {
  const form = await readForm(body ?? Readable.from([]), headerOf(request, 'content-type') ?? '')
  const { me, signer, region } = await authenticateForm(ctx, form.fields, request.ip)
  await admit(me)
  const fields = expanded(form)
  const policy = readPolicy(form.fields.get('policy') ?? '')
  const name = fields.get('key') || lacksField('key')
  // A policy is for one bucket: that of the address, whatever the form says.
  const given = fields.get('bucket') ?? request.bucket
  if (given !== request.bucket) refuse('AccessDenied', 'The bucket of the form is not that of the address')
  checkPolicy(policy, new Map([...fields, ['bucket', request.bucket]]), ctx.clock.now())
  const key = newKey(name)
  const asked = asRequest(request, fields, key)
  const bucket = await bucketOf({ ctx, me, request: asked, signer, region, body })
  checkObjectHeaders(asked)
  const algorithm = headerOf(asked, 'x-amz-checksum-algorithm')
  const file = Readable.from(withinSize(form.file, policy.size), { objectMode: false })
  const payload = payloadOf(
    { request: asked, signer, body: file },
    algorithm === undefined ? usualAlgorithm : algorithmNamed(algorithm),
  )
  const contentType = typeOf(asked)
  authorizeUpload(ctx, me, { bucket, key, contentType, size: undefined })
  const upload = {
    bucket,
    key,
    contentType,
    metadata: metadataOf(asked),
    kept: keptOf(asked),
    tags: tagsIn(fields),
    conditions: unconditional,
    keepsVersions: true,
  }
  const { stream, digests } = payload
  const blob = await receiveBody(ctx, upload, { body: stream, announced: undefined, digests })
  const checksum = payload.checksum()
  const { object, versionId } = await storeUpload(ctx, me, upload, { blob, checksum })
  return replyFor(fields, {
    location: addressOf(ctx, asked),
    bucket: request.bucket,
    key,
    etag: quoted(object.etag),
    headers: { ...checksumHeaders(checksum), ...versionHeader(bucket, versionId) },
  })
}
