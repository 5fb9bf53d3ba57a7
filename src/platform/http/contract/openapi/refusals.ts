import { AppError, type Problem } from '#platform/errors.ts'
import type { Service } from '../../service.ts'
import { rateLimitHeaders } from './headers.ts'
import type { RouteFacts } from './schemas.ts'

/** What a status means on any route. */
const meanings: Record<number, string> = {
  400: 'The request is malformed, or a value in it is not valid.',
  401: 'Credentials are missing, wrong or expired.',
  403: 'The credentials are valid, but do not allow this.',
  404: 'What the request names does not exist, or is not visible to these credentials.',
  405: 'The path exists, but not with this method.',
  408: 'The body did not arrive in time.',
  409: 'The request contradicts the current state, or a request with the same Idempotency-Key is still running.',
  410: 'This was removed and will not come back.',
  412: 'A condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold.',
  413: 'The body, or what would be stored, is larger than a limit allows.',
  415: 'The body has another media type than this operation reads, or is compressed.',
  416: 'The content has no bytes in this range.',
  422: 'A value in the request is not valid; `errors` says which and why.',
  429: 'A rate limit or a quota is used up. `Retry-After` says when to try again.',
  500: 'A fault of the server, which is in its log under the request id.',
  501: 'The server does not do what the request asks for.',
  503: 'The server is overloaded, stopping, or has no database at the moment. The same request may succeed shortly.',
  507: 'The server has no room for more content at the moment.',
}

/** What an operation of this kind can be refused with, besides what its own rules say in `config.refuses`. */
const general = ({ access, config, operation }: RouteFacts, service: Service): number[] => {
  const { statuses } = service
  const isSecured = service.security(access).some((scheme) => Object.keys(scheme).length > 0)
  const parameters = (operation.parameters ?? []) as { in: string }[]
  const hasBody = operation.requestBody !== undefined
  return [
    ...(isSecured ? [401, 403] : []),
    ...(service.refuses?.(access) ?? []),
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(hasBody || parameters.some((parameter) => parameter.in === 'query') ? [400, statuses.invalid] : []),
    ...(hasBody ? [408, 413] : []),
    ...(hasBody && !config.streamed ? [415] : []),
    // Also for a body where none may be.
    statuses.mediaType,
    ...(config.idempotent ? [409, statuses.invalid, statuses.keyReused] : []),
    429,
    500,
    503,
  ]
}

const headersOf: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...rateLimitHeaders],
  503: ['Retry-After'],
}
const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** What the error typically says, where that is not what the status means. */
const typicalMessages: Record<number, string> = {
  401: 'This token has expired: sign in again',
  403: 'Forbidden',
  404: 'Not found',
  429: 'Too many requests, try again in 12 seconds',
  503: 'Service temporarily unavailable',
}
const wrongInput: Problem = { field: 'email', reason: 'must be an email address' }

const typicalError = (status: number, description: string, { statuses, meanings: own }: Service) => {
  if (status === statuses.invalid)
    return new AppError(status, `${wrongInput.field} ${wrongInput.reason}`, {
      code: 'invalid_input',
      details: [wrongInput],
    })
  const code = own?.[status]?.code
  return new AppError(status, typicalMessages[status] ?? description, code === undefined ? {} : { code })
}

const meaningsIn = ({ meanings: own = {} }: Service): Record<number, string> => ({
  ...meanings,
  ...Object.fromEntries(Object.entries(own).map(([status, { description }]) => [status, description])),
})

/** The error responses that operations refer to. */
export const refusalComponents = (service: Service) =>
  Object.fromEntries(
    Object.entries(meaningsIn(service)).map(([status, description]) => [
      `Refused${status}`,
      {
        description,
        headers: headerRefs(['X-Request-Id', ...(headersOf[Number(status)] ?? [])]),
        content: {
          'application/json': {
            schema: service.errorSchema,
            example: service.errorBody(typicalError(Number(status), description, service), {
              id: '01JPA3V7KQ8ZC5T4',
            }),
          },
        },
      },
    ]),
  )

export const refusalsOf = (facts: RouteFacts, service: Service) => {
  const statuses = new Set([
    ...(facts.access === 'system' ? [] : general(facts, service)),
    ...(facts.config.refuses ?? []),
  ])
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
  )
}
