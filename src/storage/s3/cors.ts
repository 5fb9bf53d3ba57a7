import { userCache } from '../accounts/users.ts'
import { type CorsQuestion, corsMethods, corsRuleFor } from '../buckets/cors.ts'
import { bucketNamed } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { credentialCache } from '../keys/keys.ts'
import { bucketAtAddress } from './anonymous.ts'
import { refuse } from './errors.ts'
import { headerOf, parameterOf, type Reply, type S3Request } from './request.ts'

/** The access key that a signature is said to be of. Nothing is proven by it, and nothing is told but rules for browsers. */
const accessKeyOf = (request: S3Request) => {
  const credential =
    parameterOf(request, 'X-Amz-Credential') ??
    /Credential=([^,\s]+)/.exec(headerOf(request, 'authorization') ?? '')?.[1]
  return credential === undefined ? undefined : /^(\w{1,64})\//.exec(credential)?.[1]
}

/** The bucket that a request names: by the organization of its key, or by its address. */
const bucketFor = async (ctx: Storage, request: S3Request) => {
  const accessKey = accessKeyOf(request)
  if (accessKey === undefined) return bucketAtAddress(ctx, request)
  const credential = await credentialCache(ctx).get(accessKey)
  const user = credential && (await userCache(ctx).get(credential.userId))
  return user && !request.bucket.includes('\0') ? bucketNamed(ctx, user.orgId, request.bucket) : undefined
}

/**
 * The headers by which a browser lets a page do what it asks for; none if no rule allows it. Unlike S3 we never allow
 * credentials: nothing here is authorized by cookies, but those of the consoles may be sent along.
 */
const headersFor = (
  rules: Parameters<typeof corsRuleFor>[0],
  question: CorsQuestion,
): Record<string, string> | undefined => {
  const found = corsRuleFor(rules, question)
  if (!found) return undefined
  const { rule, isForEveryone } = found
  return {
    'access-control-allow-origin': isForEveryone ? '*' : question.origin,
    'access-control-allow-methods': rule.methods.join(', '),
    ...(rule.exposedHeaders.length > 0
      ? { 'access-control-expose-headers': rule.exposedHeaders.join(', ') }
      : {}),
    ...(rule.maxAgeSeconds === undefined ? {} : { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  }
}

/** What every response to a request of a page carries. `orgId`, if the request itself does not tell it. */
export const corsHeaders = async (ctx: Storage, request: S3Request, orgId?: string) => {
  const bucket = await (orgId === undefined
    ? bucketFor(ctx, request)
    : bucketNamed(ctx, orgId, request.bucket))
  const origin = headerOf(request, 'origin') ?? ''
  return (bucket && headersFor(bucket.cors, { origin, method: request.method })) ?? {}
}

/** Each is compared with each pattern of a rule, before anybody has signed anything. */
const maxAskedHeaders = 100

/** What a browser asks before a page may send a request. Who may not does not learn what is there. */
export const preflight = async (ctx: Storage, request: S3Request): Promise<Reply> => {
  const denied = () => refuse('AccessForbidden')
  const origin = headerOf(request, 'origin')
  const method = headerOf(request, 'access-control-request-method')
  if (!origin) return refuse('BadRequest', 'Insufficient information. Origin request header needed.')
  if (!method || !corsMethods.includes(method))
    return refuse('BadRequest', `Invalid Access-Control-Request-Method: ${method || 'null'}`)
  const asked = headerOf(request, 'access-control-request-headers') ?? ''
  const names = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > maxAskedHeaders) denied()
  const bucket = await bucketFor(ctx, request)
  const headers = bucket && headersFor(bucket.cors, { origin, method, headers: names })
  if (!headers) return denied()
  const allowed = names.length > 0 ? { 'access-control-allow-headers': names.join(', ') } : {}
  return { status: 200, headers: { ...headers, ...allowed }, body: '' }
}
