import { organizationNamed } from '../accounts/organizations.ts'
import { authorize, evaluate } from '../buckets/authorize.ts'
import { bucketNamed } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { aboutObject, findContent } from '../objects/objects.ts'
import { refuse } from './errors.ts'
import { noObject } from './operations/missing.ts'
import { anyKey } from './operations/places.ts'
import { deliverObject } from './operations/read-object.ts'
import { operationFor } from './operations.ts'
import { parameterOf, type Reply, type S3Request } from './request.ts'

/** `<slug>.<bucket>` in a path, `<bucket>.<slug>` in a host. A slug has no dots, the name of a bucket may. */
const placeOf = ({ bucket, isVirtualHost }: S3Request) => {
  const at = isVirtualHost ? bucket.lastIndexOf('.') : bucket.indexOf('.')
  const [first, second] = [bucket.slice(0, Math.max(at, 0)), bucket.slice(at + 1)]
  return isVirtualHost ? { slug: second, name: first } : { slug: first, name: second }
}

/** The bucket that an address without a signature names. */
export const bucketAtAddress = async (ctx: Storage, request: S3Request) => {
  if (request.bucket.includes('\0')) return undefined
  const { slug, name } = placeOf(request)
  const orgId = slug === '' ? undefined : await organizationNamed(ctx, slug)
  return orgId === undefined ? undefined : bucketNamed(ctx, orgId, name)
}

/** Whether a request is for an object as it is now, not for one of its versions, its tags or the like. */
const isAboutCurrent = (request: S3Request) =>
  ['GetObject', 'HeadObject'].includes(operationFor(request).name) &&
  parameterOf(request, 'versionId') === undefined

/** Without a signature, objects of public buckets can be read, and nothing else. Who may not does not learn what is there. */
export const readAnonymously = async (ctx: Storage, request: S3Request): Promise<Reply> => {
  const denied = () => refuse('AccessDenied')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || request.key === '' || !isAboutCurrent(request)) return denied()
  const bucket = await bucketAtAddress(ctx, request)
  if (!bucket) return denied()
  const visitor = { userId: null, role: 'anonymous', keyId: null, ancestorIds: [], ip: request.ip } as const
  const key = anyKey(request.key)
  const asked = { bucket, key, preflight: true }
  if (bucket.visibility !== 'public' && !evaluate(ctx, visitor, 'object.read', asked).allowed) return denied()
  authorize(ctx, visitor, 'object.read', asked)
  const object = await findContent(ctx, { bucketId: bucket.id, key })
  authorize(ctx, visitor, 'object.read', { bucket, ...aboutObject(object, key) })
  if (!object) return noObject({ ctx, request }, bucket, key)
  return deliverObject(ctx, request, { bucket, object }, { userId: null, isSigned: false })
}
