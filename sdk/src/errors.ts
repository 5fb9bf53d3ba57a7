/** What is wrong with one field of a request. */
export type FieldError = { field: string; message: string }

type Details = {
  status: number
  message: string
  code: string | null
  fields: FieldError[]
  requestId: string | null
  body: unknown
  cause?: unknown
}

/** The one error of this package: a response that is not a success, or none at all. */
export class TrivetError extends Error {
  override readonly name = 'TrivetError'
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /** The reason for programs, such as `not_found`; `connection` if there was no response. */
  readonly code: string | null
  /** What is wrong with which field of the request, where the server says so. */
  readonly fields: FieldError[]
  /** Identifies the request in the logs of the server. */
  readonly requestId: string | null
  /** The body of the response: an object if it is JSON, otherwise text. */
  readonly body: unknown

  constructor({ status, message, code, fields, requestId, body, cause }: Details) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.fields = fields
    this.requestId = requestId
    this.body = body
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The services name them `details` with `reason`, or `errors` with `message`. */
const fieldsOf = (list: unknown): FieldError[] =>
  Array.isArray(list)
    ? list.map(({ field, reason, message }) => ({ field: String(field), message: String(message ?? reason) }))
    : []

/** Reads the error that a response stands for. */
export const errorOf = async (response: Response) => {
  const body = parsed(await response.text().catch(() => ''))
  const said = (body && typeof body === 'object' ? body : {}) as Record<string, unknown>
  return new TrivetError({
    status: response.status,
    message:
      text(said.reason) ??
      text(said.message) ??
      text(said.error) ??
      `The server returned the status ${response.status}`,
    code: text(said.code) ?? null,
    fields: fieldsOf(said.details ?? said.errors),
    requestId: response.headers.get('x-request-id'),
    body,
  })
}

/** A refusal that needs no request. */
export const refusal = (status: number, code: string, message: string) =>
  new TrivetError({ status, message, code, fields: [], requestId: null, body: null })

/** There was no response: refused, cut off, or not resolved. */
export const connectionError = (url: string, cause: unknown) =>
  new TrivetError({
    status: 0,
    message: `${new URL(url).origin} cannot be reached`,
    code: 'connection',
    fields: [],
    requestId: null,
    body: null,
    cause,
  })
