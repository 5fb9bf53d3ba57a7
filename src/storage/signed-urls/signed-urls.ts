import { AppError, forbidden, notFound } from '#platform/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { findKey } from '../keys/keys.ts'
import { checkKey } from '../objects/key.ts'
import { aboutObject, findContent, objectIdAt } from '../objects/objects.ts'
import type { Writer } from '../objects/place.ts'
import { bucketOf, demand } from '../policies/authorize.ts'
import type { SignedQuery, SigningRequest } from './schema.ts'
import { type Grant, readGrant, sign } from './signing.ts'

const defaultSeconds = 3600

/**
 * Clients take a segment of one or two dots, encoded or not, for a step in the hierarchy. Where there is one the
 * slashes are encoded too, so that it is none; a key that is nothing else cannot be helped.
 */
const pathOf = (key: string) => {
  const segments = key.split('/')
  if (key === '.' || key === '..') return key.replaceAll('.', '%2E')
  return segments.some((text) => text === '.' || text === '..')
    ? encodeURIComponent(key)
    : segments.map(encodeURIComponent).join('/')
}

const addressOf = (ctx: Storage, bucketId: string, key: string, query: Record<string, string>) => {
  const path = pathOf(key)
  return `${ctx.config.urls.storage}/public/objects/${bucketId}/${path}?${new URLSearchParams(query)}`
}

export const createSignedUrl = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  input: SigningRequest,
) => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const { method } = input
  const key = checkKey(input.objectKey)
  const objectId = await objectIdAt(ctx, bucket, key)
  demand(ctx, me, bucket, 'object.sign', { key, objectId })
  demand(ctx, me, bucket, method === 'GET' ? 'object.read' : 'object.write', {
    key,
    objectId,
    size: input.maxBytes ?? undefined,
    contentType: input.contentType ?? undefined,
    tentative: true,
  })
  const now = ctx.clock.now()
  const seconds = input.expiresIn ?? input.expiresInSeconds ?? defaultSeconds
  const expires = Math.floor(now.getTime() / 1000) + seconds
  const expiresAt = new Date(expires * 1000).toISOString()
  const grant: Grant = {
    method,
    bucketId: bucket.id,
    key,
    expires: String(expires),
    maxBytes: method === 'PUT' ? String(input.maxBytes ?? '') : '',
    contentType: method === 'PUT' ? (input.contentType ?? '') : '',
    signer: me.keyId ? { kind: 'key', id: me.keyId } : { kind: 'user', id: me.userId },
  }
  await ctx.db.write((q) =>
    recordAudit(q, me, {
      action: 'signed_url.created',
      resourceType: 'object',
      resourceId: key,
      payload: { bucketId: bucket.id, objectKey: key, method, expiresAt },
      now,
    }),
  )
  const url = addressOf(ctx, bucket.id, key, {
    signature: sign(ctx.secrets, grant),
    expires: grant.expires,
    method,
    ...(grant.maxBytes ? { maxBytes: grant.maxBytes } : {}),
    ...(grant.contentType ? { contentType: grant.contentType } : {}),
  })
  return { url, expiresAt, method }
}

/** Whoever signed, as they are now: without the person or the key that signed there is no right left. */
const signerOf = async (ctx: Storage, bucket: BucketFacts, grant: Grant, ip: string): Promise<Writer> => {
  const { kind, id } = grant.signer
  const key = kind === 'key' ? ((await findKey(ctx, bucket.orgId, id)) ?? forbidden()) : null
  const person = await ctx.people.get(key?.userId ?? id)
  if (!person || person.orgId !== bucket.orgId) return forbidden()
  return {
    orgId: bucket.orgId,
    userId: person.id,
    role: person.role,
    keyId: key?.id ?? null,
    ancestorIds: key?.ancestorIds ?? [],
    ip,
  }
}

const validGrant = (
  ctx: Storage,
  bucketId: string,
  key: string,
  query: SignedQuery,
  method: 'GET' | 'PUT',
) => {
  const grant = readGrant(ctx.secrets, bucketId, key, query)
  const valid = grant?.method === method && Number(grant.expires) * 1000 > ctx.clock.now().getTime()
  return valid ? grant : null
}

const publicBucket = async (ctx: Storage, bucketId: string) => (await ctx.buckets.get(bucketId)) ?? notFound()

/** A public bucket is open to all, unless its policy denies it; anything else needs a signature for GET. */
export const openForReading = async (
  ctx: Storage,
  bucketId: string,
  key: string,
  query: SignedQuery,
  ip: string,
) => {
  const bucket = await publicBucket(ctx, bucketId)
  const grant = validGrant(ctx, bucket.id, key, query, 'GET')
  const visitor: Writer = grant
    ? await signerOf(ctx, bucket, grant, ip)
    : { orgId: bucket.orgId, userId: null, role: 'anonymous', keyId: null, ancestorIds: [], ip }
  demand(ctx, visitor, bucket, 'object.read', { key, tentative: true })
  const object = await findContent(ctx, bucket, key)
  if (grant) demand(ctx, visitor, bucket, 'object.sign', { key, objectId: object?.id })
  demand(ctx, visitor, bucket, 'object.read', aboutObject(object, key))
  return { bucket, object, userId: visitor.userId }
}

/** Only a signature for PUT opens a bucket for writing, within what was bound when it was made. */
export const openForWriting = async (
  ctx: Storage,
  bucketId: string,
  key: string,
  query: SignedQuery,
  headers: { 'content-type'?: string | undefined },
  ip: string,
) => {
  const bucket = await publicBucket(ctx, bucketId)
  const grant = validGrant(ctx, bucket.id, key, query, 'PUT') ?? forbidden()
  const visitor = await signerOf(ctx, bucket, grant, ip)
  demand(ctx, visitor, bucket, 'object.sign', { key, objectId: await objectIdAt(ctx, bucket, key) })
  if (grant.contentType && grant.contentType !== headers['content-type'])
    throw new AppError(403, `Content-Type must be ${grant.contentType}`)
  return { bucket, visitor, maxBytes: grant.maxBytes ? Number(grant.maxBytes) : undefined }
}
