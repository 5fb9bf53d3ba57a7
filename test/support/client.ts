import { conformance } from './conformance.ts'

type Headers = Record<string, string>
export type Answer = {
  status: number
  headers: globalThis.Headers
  text: string
  // Tests read responses of every shape and assert what they find.
  // biome-ignore lint/suspicious/noExplicitAny: a response may be anything
  body: any
}
export type RequestOptions = { body?: unknown; raw?: NonNullable<RequestInit['body']>; headers?: Headers }
export type Client = ReturnType<typeof client>

/**
 * An HTTP client: `await api('POST /buckets', { body: { name: 'abc' } })`. Every JSON response is validated against the
 * service's own OpenAPI document.
 */
export const client = (base: string, headers: Headers = {}) => {
  const check = conformance(base)
  const api = async (call: string, options: RequestOptions = {}): Promise<Answer> => {
    const [method = '', path = ''] = call.split(' ', 2)
    const json = options.body === undefined ? {} : { 'content-type': 'application/json' }
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(base + path, {
      method,
      headers: { ...json, ...headers, ...options.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    }
    await check(method, path, answer)
    return answer
  }
  return Object.assign(api, {
    base,
    /** The same service with these headers on every request. */
    with: (more: Headers) => client(base, { ...headers, ...more }),
    bearer: (token: string) => client(base, { ...headers, authorization: `Bearer ${token}` }),
  })
}
