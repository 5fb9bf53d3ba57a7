import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { RequestHeader, ResponseHeader } from './contract/openapi/headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may enter, in the service's own words, which its guard understands. */
    access?: string
    /**
     * Whether an Idempotency-Key is honoured (POSTs that create). `streamed`: the handler takes in the body itself
     * and says in `req.body` what a repeat is compared by, before it writes anything.
     */
    idempotent?: boolean | 'streamed'
    /** Where a GET finds what was created, for `Location`: a path with fields of the response, such as `/buckets/{id}`. */
    created?: string
    /** The handler takes in the body as it comes, which may take long, as long as it keeps coming. */
    streamed?: boolean
    /** A limit that the service's guard applies besides its usual ones. */
    limit?: string
    /** Headers of the request that matter to this route, for its documentation. */
    reads?: RequestHeader[]
    /** Headers of its successful response, for its documentation. */
    sends?: ResponseHeader[]
    /** Statuses of refusals besides those that follow from its path, body and access, for its documentation. */
    refuses?: number[]
    /** The body as OpenAPI describes it, where the handler takes it in itself. */
    requestBody?: { description?: string; required?: boolean; content: Record<string, { schema: object }> }
    /** Other methods on this path are handled by a wildcard route, not refused with 405. */
    partOfWildcard?: boolean
  }
  interface FastifyRequest {
    /** Whom the guard recognised; each service has a typed accessor for it. */
    principal: unknown
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete'

type Declare<Config> = <const Schema extends FastifySchema>(
  path: string,
  options: Omit<
    RouteShorthandOptions<
      RawServerDefault,
      IncomingMessage,
      ServerResponse,
      RouteGenericInterface,
      unknown,
      Schema,
      TypeBoxTypeProvider
    >,
    'config'
  > & { config: Config },
  handler: RouteHandlerMethod<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGenericInterface,
    unknown,
    Schema,
    TypeBoxTypeProvider
  >,
) => unknown

/** The configuration of a route: its access word and its limit are words of its service. */
type RouteConfig<Access extends string, Limit extends string> = Omit<
  FastifyContextConfig,
  'access' | 'limit' | 'url' | 'method'
> & { access: Access; limit?: Limit }

/** The application as the modules of a service see it: a misspelt access word or limit does not compile. */
export type ServiceApp<Access extends string, Limit extends string> = Omit<App, Method> &
  Record<Method, Declare<RouteConfig<Access, Limit>>>
