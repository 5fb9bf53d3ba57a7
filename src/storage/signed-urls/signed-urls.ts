import { AppError, invalid } from '#platform/errors.ts'
import { userCache } from '../accounts/users.ts'
import { recordAudit } from '../audit/audit.ts'
import { authorize, evaluate } from '../buckets/authorize.ts'
import { type BucketFacts, bucketCache, bucketOf } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import { findKey } from '../keys/keys.ts'
import { checkKey, type ObjectRef } from '../objects/key.ts'
import { aboutObject, findContent, objectIdAt } from '../objects/objects.ts'
import type { Writer } from '../objects/write/write.ts'
import { noBucket, noVersion } from '../refusals.ts'
import { refuseLink } from './refusals.ts'
import type { SignedQuery, SigningRequest } from './schema.ts'
import { readTerms, type SignedTerms, sign } from './signing.ts'

const defaultSeconds = 3600

/**
 * Clients resolve path segments of one or two dots, encoded or not. If a key has such a segment its slashes are encoded
 * too, so that it is no segment of its own; nothing helps a key that consists of dots alone.
 */
const pathOf = (key: string) => {
  const segments = key.split('/')
  if (key === '.' || key === '..') return key.replaceAll('.', '%2E')
  return segments.some((text) => text === '.' || text === '..')
    ? encodeURIComponent(key)
    : segments.map(encodeURIComponent).join('/')
}

const urlOf = (ctx: Storage, { bucketId, key }: ObjectRef, query: Record<string, string>) =>
  `${ctx.config.urls.storage}/public/objects/${bucketId}/${pathOf(key)}?${new URLSearchParams(query)}`

export const createSignedUrl = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  input: SigningRequest,
) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const { method } = input
  if (method === 'PUT' && input.versionId) invalid('versionId', 'is only for GET')
  const key = checkKey(input.objectKey)
  const objectId = await objectIdAt(ctx, bucket, key)
  authorize(ctx, me, 'object.sign', { bucket, key, objectId })
  authorize(ctx, me, method === 'GET' ? 'object.read' : 'object.write', {
    bucket,
    key,
    objectId,
    size: input.maxBytes ?? undefined,
    contentType: input.contentType ?? undefined,
    preflight: true,
  })
  const now = ctx.clock.now()
  const seconds = input.expiresIn ?? input.expiresInSeconds ?? defaultSeconds
  const expires = Math.floor(now.getTime() / 1000) + seconds
  const expiresAt = new Date(expires * 1000).toISOString()
  const terms: SignedTerms = {
    method,
    bucketId: bucket.id,
    key,
    expires: String(expires),
    maxBytes: method === 'PUT' ? String(input.maxBytes ?? '') : '',
    contentType: method === 'PUT' ? (input.contentType ?? '') : '',
    versionId: input.versionId ?? '',
    signer: me.keyId ? { kind: 'key', id: me.keyId } : { kind: 'user', id: me.userId },
  }
  await ctx.db.write((q) =>
    recordAudit(q, me, {
      action: 'signed_url.created',
      resourceType: 'object',
      resourceId: key,
      payload: {
        bucketId: bucket.id,
        objectKey: key,
        method,
        expiresAt,
        ...(terms.versionId ? { versionId: terms.versionId } : {}),
      },
      now,
    }),
  )
  const url = urlOf(ctx, terms, {
    signature: sign(ctx.secrets, terms),
    expires: terms.expires,
    method,
    ...(terms.maxBytes ? { maxBytes: terms.maxBytes } : {}),
    ...(terms.contentType ? { contentType: terms.contentType } : {}),
    ...(terms.versionId ? { versionId: terms.versionId } : {}),
  })
  return { url, expiresAt, method }
}

/** The signer with their present rights; throws 403 if the user or the key that signed no longer exists. */
const signerOf = async (
  ctx: Storage,
  bucket: BucketFacts,
  terms: SignedTerms,
  ip: string,
): Promise<Writer> => {
  const { kind, id } = terms.signer
  const key = kind === 'key' ? ((await findKey(ctx, bucket.orgId, id)) ?? refuseLink.withdrawn()) : null
  const user = await userCache(ctx).get(key?.userId ?? id)
  if (!user || user.orgId !== bucket.orgId) return refuseLink.withdrawn()
  return {
    orgId: bucket.orgId,
    userId: user.id,
    role: user.role,
    keyId: key?.id ?? null,
    ancestorIds: key?.ancestorIds ?? [],
    ip,
  }
}

/** A request without credentials, maybe with a signature. */
export type PublicRequest = { ref: ObjectRef; query: SignedQuery; ip: string }

/** The terms of a link that allows the method now, or what throws the reason why there are none. */
const linkOf = (
  ctx: Storage,
  ref: ObjectRef,
  query: SignedQuery,
  method: 'GET' | 'PUT',
): { terms: SignedTerms } | { refuse: () => never } => {
  if (query.signature === undefined) return { refuse: () => refuseLink.missing(method) }
  const terms = readTerms(ctx.secrets, ref, query)
  if (!terms) return { refuse: refuseLink.invalid }
  if (terms.method !== method) return { refuse: () => refuseLink.wrongMethod(terms.method) }
  const expiresAt = new Date(Number(terms.expires) * 1000)
  return expiresAt > ctx.clock.now() ? { terms } : { refuse: () => refuseLink.expired(expiresAt) }
}

const publicBucket = async (ctx: Storage, bucketId: string) =>
  (await bucketCache(ctx).get(bucketId)) ?? noBucket()

/**
 * A public bucket can be read by everyone, unless its policy denies it; any other requires a signature for GET, and so does
 * a content that is not the current one.
 */
export const openForReading = async (ctx: Storage, { ref, query, ip }: PublicRequest) => {
  const { key } = ref
  const bucket = await publicBucket(ctx, ref.bucketId)
  const place = { bucketId: bucket.id, key }
  const link = linkOf(ctx, place, query, 'GET')
  const isSigned = 'terms' in link
  const visitor: Writer = isSigned
    ? await signerOf(ctx, bucket, link.terms, ip)
    : { orgId: bucket.orgId, userId: null, role: 'anonymous', keyId: null, ancestorIds: [], ip }
  if (!isSigned) {
    if (query.versionId !== undefined && query.signature === undefined) refuseLink.version()
    if (query.versionId !== undefined) link.refuse()
    const decision = evaluate(ctx, visitor, 'object.read', { bucket, key, preflight: true })
    if (!decision.allowed && decision.statement === null) link.refuse()
  }
  authorize(ctx, visitor, 'object.read', { bucket, key, preflight: true })
  const versionId = isSigned ? link.terms.versionId || undefined : undefined
  const object = await findContent(ctx, { ...place, versionId })
  if (isSigned) authorize(ctx, visitor, 'object.sign', { bucket, key, objectId: object?.id })
  authorize(ctx, visitor, 'object.read', { bucket, ...aboutObject(object, key) })
  if (versionId !== undefined && !object) noVersion()
  // A policy may depend on who asks and from where, which a cache would not check.
  const isPublic = !isSigned && bucket.policy.length === 0
  return { bucket, object, userId: visitor.userId, isPublic }
}

/** Writing requires a signature for PUT, and must keep to what was signed. */
export const openForWriting = async (
  ctx: Storage,
  { ref, query, ip, contentType }: PublicRequest & { contentType: string | undefined },
) => {
  const { key } = ref
  const bucket = await publicBucket(ctx, ref.bucketId)
  const link = linkOf(ctx, { bucketId: bucket.id, key }, query, 'PUT')
  const { terms } = 'terms' in link ? link : link.refuse()
  const writer = await signerOf(ctx, bucket, terms, ip)
  authorize(ctx, writer, 'object.sign', { bucket, key, objectId: await objectIdAt(ctx, bucket, key) })
  if (terms.contentType && terms.contentType !== contentType)
    throw new AppError(403, `Content-Type must be ${terms.contentType}`)
  return { bucket, writer, key, max: terms.maxBytes ? Number(terms.maxBytes) : undefined }
}
