import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { ByteResponse } from '#platform/http/response/bytes.ts'
import type { Principal, Storage } from '../context.ts'
import { invalidArgument, refuse } from './errors.ts'
import { decodedPath, type Parameter, parametersOf, type SignedParts } from './signature/canonical.ts'
import type { Signer } from './signature/verify.ts'

/** A request as S3 reads it. */
export type S3Request = SignedParts & {
  id: string
  ip: string
  parameters: readonly Parameter[]
  /** Empty where the request is about the service, or about a bucket as a whole. */
  bucket: string
  key: string
  /** The host names the bucket, and below it the organization. */
  isVirtualHost: boolean
}

/** Everything that an operation is given. */
export type Call = {
  ctx: Storage
  me: Principal
  request: S3Request
  /** The signature of the request, with which those of its chunks begin. */
  signer: Signer
  /** The region that the signature is for. */
  region: string
  body: Readable | null
}

export type Reply = Omit<ByteResponse, 'body'> & { body: Buffer | Readable | string }

const headersOf = ({ rawHeaders }: Message) => {
  const headers = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    const value = rawHeaders[at + 1] as string
    const known = headers.get(name)
    if (known) known.push(value)
    else headers.set(name, [value])
  }
  return headers
}

/** What is read of a request. */
type Message = Partial<Pick<IncomingMessage, 'method' | 'url'>> & { rawHeaders: readonly string[] }

/** Whether the host is `<bucket>.<domain>`; it may have a port. */
const bucketInHost = (host: string, domain: string | undefined) => {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return domain !== undefined && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : ''
}

export const readRequest = (
  message: Message,
  { id, ip, domain }: { id: string; ip: string; domain: string | undefined },
): S3Request => {
  const url = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '')
  const at = url.indexOf('?')
  const path = (at < 0 ? url : url.slice(0, at)) || '/'
  const query = at < 0 ? '' : url.slice(at + 1)
  const headers = headersOf(message)
  const parameters = parametersOf(query)
  for (const [name, value] of parameters)
    if ((name + value).includes('\0')) invalidArgument(name.replaceAll('\0', ''), '', 'NUL is not allowed')
  const inHost = bucketInHost(headers.get('host')?.[0] ?? '', domain)
  const slash = path.indexOf('/', 1)
  const inPath = decodedPath(path.slice(1, slash < 0 ? undefined : slash))
  const key = decodedPath(inHost ? path.slice(1) : slash < 0 ? '' : path.slice(slash + 1))
  return {
    id,
    ip,
    method: message.method ?? 'GET',
    path,
    query,
    headers,
    parameters,
    bucket: inHost || inPath,
    key,
    isVirtualHost: inHost !== '',
  }
}

export const headerOf = ({ headers }: SignedParts, name: string) => headers.get(name)?.join(', ')

export const parameterOf = ({ parameters }: S3Request, name: string) =>
  parameters.find(([known]) => known === name)?.[1]

/** The headers as other modules read them. */
export const plainHeaders = ({ headers }: SignedParts): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]))

/** A whole number in the query. */
export const numberOf = (
  request: S3Request,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
) => {
  const text = parameterOf(request, name)
  if (text === undefined || text === '') return fallback
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (number < min || number > 2 ** 31 - 1)
    return invalidArgument(name, text, `Argument ${name} must be an integer from ${min} to 2147483647`)
  return Math.min(number, max)
}

/** What a header asks for that is not there; ignoring it would be worse. */
export const refuseHeaders = ({ headers }: SignedParts, names: readonly string[]) => {
  const found = names.find((name) => headers.has(name))
  if (found) refuse('NotImplemented', `The header ${found} is not supported`, { fields: { Header: found } })
}
