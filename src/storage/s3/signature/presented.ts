import { lacksField, refuse } from '../errors.ts'
import { type Parameter, parametersOf, type SignedParts } from './canonical.ts'

export const algorithm = 'AWS4-HMAC-SHA256'

/** A signature as a request presents it: in its headers, in its query, or in the form that it carries. */
export type Presented = {
  kind: 'header' | 'query' | 'form'
  accessKey: string
  region: string
  /** `<day>/<region>/s3/aws4_request` */
  scope: string
  /** When it was signed: as text, as it is part of what was signed, and as a time. */
  date: string
  signedAt: number
  /** Seconds for which a signature in a query is valid. */
  expires: number | null
  signedHeaders: string[]
  signature: string
}

const unsupported = () =>
  refuse(
    'InvalidRequest',
    `The authorization mechanism that you provided is not supported. Use ${algorithm}.`,
  )

type Malformed = (message: string) => never

const timeOf = (date: string) => {
  if (!/^\d{8}T\d{6}Z$/.test(date)) return Number.NaN
  const part = (from: number, to: number) => Number(date.slice(from, to))
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(9, 11), part(11, 13), part(13, 15))
}

/** No client signs these. Somebody else's page could have them signed, and learn of them from the response. */
const credentials = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']

const scoped = (
  {
    credential,
    date,
    signedHeaders,
    signature,
  }: Record<'credential' | 'date' | 'signedHeaders' | 'signature', string>,
  malformed: Malformed,
) => {
  // An access key may contain slashes, the scope does not.
  const [, accessKey, scope, day, region, service] =
    /^(.+)\/((\d{8})\/([^/]+)\/([^/]+)\/aws4_request)$/.exec(credential) ??
    malformed('The credential must be <access key>/<YYYYMMDD>/<region>/s3/aws4_request')
  if (service !== 's3') malformed(`The service of the credential must be s3, not ${service}`)
  const signedAt = timeOf(date)
  if (Number.isNaN(signedAt)) malformed('The date must have the form YYYYMMDDTHHMMSSZ')
  if (!date.startsWith(day as string)) malformed('The day of the credential must be that of the date')
  const names = signedHeaders.split(';')
  // In the order in which they were signed, which should be that of the alphabet; curl sorts `a0` before `a`.
  const isList = signedHeaders === signedHeaders.toLowerCase() && new Set(names).size === names.length
  if (!isList || !names.includes('host')) malformed('SignedHeaders must be lower-case names, with host')
  const secret = names.find((name) => credentials.includes(name))
  if (secret) malformed(`SignedHeaders must not name ${secret}`)
  if (!/^[0-9a-f]{64}$/.test(signature)) malformed('The signature must have 64 hexadecimal digits')
  return {
    accessKey: accessKey as string,
    region: region as string,
    scope: scope as string,
    date,
    signedAt,
    signedHeaders: names,
    signature,
  }
}

const inHeader = (authorization: string, headers: SignedParts['headers']): Presented => {
  if (!authorization.startsWith(`${algorithm} `)) unsupported()
  const malformed: Malformed = (message) => refuse('AuthorizationHeaderMalformed', message)
  const fields = new Map<string, string>()
  for (const item of authorization.slice(algorithm.length).split(',')) {
    const at = item.indexOf('=')
    fields.set(item.slice(0, Math.max(0, at)).trim(), item.slice(at + 1).trim())
  }
  const field = (name: string) => fields.get(name) ?? malformed(`The authorization header lacks ${name}`)
  const date = headers.get('x-amz-date')?.[0] ?? basicDate(headers.get('date')?.[0])
  if (date === undefined) refuse('AccessDenied', 'The request must have a date: x-amz-date or Date')
  const given = {
    credential: field('Credential'),
    date: date as string,
    signedHeaders: field('SignedHeaders'),
    signature: field('Signature'),
  }
  return { kind: 'header', expires: null, ...scoped(given, malformed) }
}

/** The date of HTTP in the form that is signed. */
const basicDate = (date: string | undefined) => {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? date : new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')
}

const maxExpires = 604_800

const inQuery = (parameters: readonly Parameter[]): Presented => {
  const malformed: Malformed = (message) => refuse('AuthorizationQueryParametersError', message)
  const parameter = (name: string) => {
    const found = parameters.filter(([known]) => known === name)
    return found.length === 1 && found[0] ? found[0][1] : malformed(`The query must have one ${name}`)
  }
  if (parameter('X-Amz-Algorithm') !== algorithm) malformed(`X-Amz-Algorithm must be ${algorithm}`)
  const text = parameter('X-Amz-Expires')
  const expires = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (expires < 1 || expires > maxExpires) malformed(`X-Amz-Expires must be from 1 to ${maxExpires} seconds`)
  const given = {
    credential: parameter('X-Amz-Credential'),
    date: parameter('X-Amz-Date'),
    signedHeaders: parameter('X-Amz-SignedHeaders'),
    signature: parameter('X-Amz-Signature'),
  }
  return { kind: 'query', expires, ...scoped(given, malformed) }
}

/** The signature of a request; undefined if it has none, and so is anonymous. */
export const presentedIn = ({ query, headers }: SignedParts): Presented | undefined => {
  const parameters = parametersOf(query)
  const has = (name: string) => parameters.some(([known]) => known === name)
  const [authorization, ...more] = headers.get('authorization') ?? []
  if (more.length > 0) refuse('InvalidArgument', 'Only one Authorization header is allowed')
  const isInQuery = has('X-Amz-Algorithm') || has('X-Amz-Signature') || has('X-Amz-Credential')
  if (authorization && isInQuery)
    refuse('InvalidArgument', 'Only one authorization mechanism is allowed: a header or a query')
  if (has('AWSAccessKeyId') && has('Signature')) unsupported()
  if (has('X-Amz-Security-Token') || headers.has('x-amz-security-token'))
    refuse('InvalidToken', 'Temporary credentials are not supported')
  if (authorization) return inHeader(authorization, headers)
  return isInQuery ? inQuery(parameters) : undefined
}

/** The signature of a form, which is that of its policy. Without a policy nobody has allowed anything. */
export const presentedInForm = (fields: ReadonlyMap<string, string>): Presented => {
  if (!fields.has('policy')) refuse('AccessDenied')
  if (fields.has('awsaccesskeyid') || fields.has('signature')) unsupported()
  if (fields.has('x-amz-security-token')) refuse('InvalidToken', 'Temporary credentials are not supported')
  const field = (name: string) => fields.get(name) || lacksField(name)
  const malformed: Malformed = (message) => refuse('AuthorizationQueryParametersError', message)
  if (field('x-amz-algorithm') !== algorithm) malformed(`X-Amz-Algorithm must be ${algorithm}`)
  const given = {
    credential: field('x-amz-credential'),
    date: field('x-amz-date'),
    signedHeaders: 'host',
    signature: field('x-amz-signature'),
  }
  return { kind: 'form', expires: null, ...scoped(given, malformed) }
}
