import createOpenApiClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { type EventsOptions, readEvents, type TrivetEvent } from './events.ts'
import { randomId } from './ids.ts'
import { type ItemOf, readPages } from './pages.ts'
import { type ClientOptions, createSend, type Send } from './send.ts'

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'
type MediaType = `${string}/${string}`
// biome-ignore lint/suspicious/noExplicitAny: generated types have no common shape
type AnyPaths = Record<string, any>

type Succeeded<Response> = Extract<Response, { error?: never }>
type Init<Options> = undefined extends Options ? [Options?] : [Options]

/** A request as its OpenAPI document describes it. Whatever is not a success is thrown as a TrivetError. */
export type Call<Paths extends AnyPaths, M extends Method> = <
  Path extends ClientPathsWithMethod<Client<Paths>, M>,
  Options extends MaybeOptionalInit<Paths[Path], M>,
>(
  path: Path,
  ...init: Init<Options>
) => Promise<Succeeded<FetchResponse<Paths[Path][M], Options, MediaType>>>

/** Every item of a list, page after page. */
export type List<Paths extends AnyPaths> = <
  Path extends ClientPathsWithMethod<Client<Paths>, 'get'>,
  Options extends MaybeOptionalInit<Paths[Path], 'get'>,
>(
  path: Path,
  ...init: Init<Options>
) => AsyncGenerator<ItemOf<Succeeded<FetchResponse<Paths[Path]['get'], Options, MediaType>>['data']>, void>

export type ServiceClient<Paths extends AnyPaths> = {
  GET: Call<Paths, 'get'>
  PUT: Call<Paths, 'put'>
  POST: Call<Paths, 'post'>
  DELETE: Call<Paths, 'delete'>
  PATCH: Call<Paths, 'patch'>
  list: List<Paths>
  /** What happens from now on, or after an event; goes on by itself after a lost connection. */
  events(options?: EventsOptions): AsyncGenerator<TrivetEvent, void>
}

/** Where a service has its events. */
type Places = { events: string }

/** So that a creation whose response was lost can be sent again without a second effect. */
const withIdempotencyKey = (request: Request) => {
  if (request.method === 'POST' && !request.headers.has('idempotency-key'))
    request.headers.set('idempotency-key', randomId())
  return request
}

export const createServiceClient = <Paths extends AnyPaths>(
  options: ClientOptions,
  places: Places,
): { client: ServiceClient<Paths>; send: Send; urlOf(path: string): string } => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const send = createSend(options)
  const fetch = (request: Request) => {
    const original = withIdempotencyKey(request)
    return send(() => original.clone())
  }
  const calls = createOpenApiClient<Paths>({ baseUrl, fetch }) as unknown as ServiceClient<Paths>
  const { GET, PUT, POST, DELETE, PATCH } = calls
  const client = {
    GET,
    PUT,
    POST,
    DELETE,
    PATCH,
    list: ((path: string, init?: object) => readPages(GET as never, path, init)) as never,
    events: (read: EventsOptions = {}) => readEvents(send, `${baseUrl}${places.events}`, read),
  }
  return { client, send, urlOf: (path) => `${baseUrl}${path}` }
}
