/**
 * The one error that reaches a client. `message` is public; `cause` is for the log only.
 * Anything else that is thrown becomes a 500 that reveals nothing about its origin.
 */
export class AppError extends Error {
  readonly status: number
  /** What programs compare, where the message is for people. */
  readonly code: string
  readonly details: readonly Problem[] | null
  readonly headers: Readonly<Record<string, string>>
  /** More fields of the body, for programs. */
  readonly facts: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    extra: {
      code?: string
      details?: readonly Problem[]
      headers?: Record<string, string>
      facts?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'AppError'
    this.status = status
    this.code = extra.code ?? usualCodes[status] ?? (status < 500 ? 'bad_request' : 'internal_error')
    this.details = extra.details ?? null
    this.headers = extra.headers ?? {}
    this.facts = extra.facts ?? {}
  }
}

/** The code of an error that has no special one. */
const usualCodes: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  422: 'invalid_input',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
  507: 'insufficient_storage',
}

/** One thing that is wrong with the input: `field` in the caller's spelling, and why. */
export type Problem = { field: string; reason: string }

// Every helper below throws: one that only returned the error could be called without any effect.
const fail = (error: AppError): never => {
  throw error
}

export const badRequest = (message: string, details?: readonly Problem[]) =>
  fail(new AppError(400, message, details ? { details } : {}))
export const unauthorized = (message = 'Unauthorized') => fail(new AppError(401, message))
export const forbidden = (message = 'Forbidden', code?: string) =>
  fail(new AppError(403, message, code === undefined ? {} : { code }))
export const notFound = (message = 'Not found') => fail(new AppError(404, message))
export const conflict = (message: string) => fail(new AppError(409, message))

/** 409 because something else has this value of a field already. */
export const taken = (field: string, reason: string, message = `${field} ${reason}`) =>
  fail(new AppError(409, message, { details: [{ field, reason }] }))

/** 429; `headers` say when to try again. */
export const tooManyRequests = (message: string, { headers }: { headers: Record<string, string> }) =>
  fail(new AppError(429, message, { headers }))

/** 503: nothing is wrong with the request, and the same one may succeed shortly. */
export class Unavailable extends AppError {
  constructor(message = 'Service temporarily unavailable', cause?: unknown) {
    super(503, message, { headers: { 'retry-after': '1' }, cause })
  }
}
export const unavailable = (message?: string, cause?: unknown) => fail(new Unavailable(message, cause))

/** Bad input that no schema can express, in the service's own validation style (400, or 422 in publishing). */
export class InvalidInput extends AppError {
  constructor(problems: readonly Problem[]) {
    super(400, problems.map((p) => `${p.field} ${p.reason}`).join('; '), {
      code: 'invalid_input',
      details: problems,
    })
    this.name = 'InvalidInput'
  }
}
export const invalid = (field: string, reason: string) => fail(new InvalidInput([{ field, reason }]))

/** Something the operator can put right: the command line shows it as one line, without a stack trace. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The code of an error of Node or PostgreSQL, such as ENOENT or 40001, or an empty string. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
