import { organizationNamed } from '../accounts/organizations.ts'
import { authorize } from '../buckets/authorize.ts'
import { bucketNamed } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { checkKey } from '../objects/key.ts'
import { aboutObject, findContent } from '../objects/objects.ts'
import { refuse } from './errors.ts'
import { noObject } from './operations/missing.ts'
import { deliverObject } from './operations/read-object.ts'
import type { Reply, S3Request } from './request.ts'

/** `<slug>.<bucket>` in a path, `<bucket>.<slug>` in a host. A slug has no dots, the name of a bucket may. */
const placeOf = ({ bucket, isVirtualHost }: S3Request) => {
  const at = isVirtualHost ? bucket.lastIndexOf('.') : bucket.indexOf('.')
  const [first, second] = [bucket.slice(0, Math.max(at, 0)), bucket.slice(at + 1)]
  return isVirtualHost ? { slug: second, name: first } : { slug: first, name: second }
}

/** Without a signature, objects of public buckets can be read, and nothing else. Who may not does not learn what is there. */
export const readAnonymously = async (ctx: Storage, request: S3Request): Promise<Reply> => {
  const denied = () => refuse('AccessDenied')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || request.key === '' || request.bucket.includes('\0')) return denied()
  const { slug, name } = placeOf(request)
  const orgId = slug === '' ? undefined : await organizationNamed(ctx, slug)
  const bucket = orgId === undefined ? undefined : await bucketNamed(ctx, orgId, name)
  if (bucket?.visibility !== 'public') return denied()
  const visitor = { userId: null, role: 'anonymous', keyId: null, ancestorIds: [], ip: request.ip } as const
  const key = checkKey(request.key, 'key')
  authorize(ctx, visitor, 'object.read', { bucket, key, preflight: true })
  const object = await findContent(ctx, { bucketId: bucket.id, key })
  authorize(ctx, visitor, 'object.read', { bucket, ...aboutObject(object, key) })
  if (!object) return noObject(ctx, bucket, key)
  return deliverObject(ctx, request, { bucket, object }, { userId: null, isSigned: false })
}
