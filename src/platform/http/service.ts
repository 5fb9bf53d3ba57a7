import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListenerName, ServiceName } from '#platform/config.ts'
import type { Console } from '#platform/console/console.ts'
import type { AppError } from '#platform/errors.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import type { Report } from '#platform/progress.ts'
import type { Home } from '#platform/reference/home/home-page.ts'
import type { Refusals } from '#platform/refusals.ts'
import type { ServiceApp } from './app.ts'
import type { Examples } from './contract/openapi/examples.ts'
import type { Recorder } from './contract/recorded.ts'
import type { Gauged, Metrics } from './metrics.ts'
import type { Shutdown } from './server/drain.ts'
import type { Exchanges } from './server/exchanges.ts'
import type { HttpLimits } from './server/http-limits.ts'

/** One resource of a service: declares its routes on `app`. Each service names its own `Module` in its access.ts. */
export type ServiceModule<Context, Access extends string, Limit extends string> = {
  (app: ServiceApp<Access, Limit>, ctx: Context): void
  /** What clients are told where its SQL functions refuse; see `platform.refuse`. */
  refusals?: Refusals
}

/** Sends a response itself, or has the request routed. */
export type BeforeRouting<Context extends Platform> = (
  ctx: Context,
  server: { metrics: Metrics; exchanges: Exchanges; limits: HttpLimits; shutdown: Shutdown },
) => (req: IncomingMessage, res: ServerResponse, routeRequest: () => void) => void

/** What a server is built from: whom it lets in, what it serves, and how it refuses. */
export type Endpoint<Context extends Platform = Platform> = {
  name: ListenerName
  title: string
  /** Decides who is asking and whether they may; throws to refuse. Runs before the body is read. */
  guard(ctx: Context): (req: FastifyRequest, reply: FastifyReply) => Promise<void> | void
  /** Sees each request first. */
  beforeRouting?: BeforeRouting<Context>
  /**
   * Called when a response has ended, with status 499 if the client left before. Unknown paths are included, health checks
   * and documents are not.
   */
  answered?(ctx: Context): (req: FastifyRequest, reply: FastifyReply, status: number) => void
  /** Expectations that cannot be met are ignored instead of being refused. */
  ignoresExpectations?: boolean
  /** What its metrics show besides its requests. */
  measured?(ctx: Context): Gauged[]
  /** Whose data the request is about, in a name that no other service uses: what it asks of the database counts as theirs. */
  tenantOf(req: FastifyRequest): string
  /** Whose repeats an Idempotency-Key recognises: those of one person, or of one key. */
  repeatScope(req: FastifyRequest): string
  /** For services whose rules ask for more than the guard does, such as the policy of a bucket. */
  grants?: {
    /** What the rules asked for and were granted; stored with the response to an Idempotency-Key. */
    given(req: FastifyRequest): unknown
    /** Checks it again before a repeat receives that response; throws to refuse. */
    demandAgain(ctx: Context, req: FastifyRequest, granted: unknown): Promise<void>
  }
  /** Where it writes down who changes what, if it does so by operations. */
  recorder?: Recorder<Context>
  /** The body of every error response. */
  errorBody(error: AppError, req: { id: string }): object
  /** The same as a page, for requests of people who look at pages; nothing where the body above is wanted. */
  errorPage?(error: AppError, req: FastifyRequest, ctx: Context): ErrorPage | undefined
  /** The whole error response of an endpoint that does not speak JSON. There is no request if it could not be parsed. */
  errorDocument?(error: AppError, req: FastifyRequest | { id: string }): ErrorDocument
  /** Status of bad input, of a wrong media type, and of an Idempotency-Key used with another body. */
  statuses: { invalid: 400 | 422; mediaType: 400 | 415; keyReused: 409 | 422 }
  /** Every access word and every limit that a route may name; a route with any other refuses the start. */
  words: { access: readonly string[]; limits: readonly string[] }
  modules: ServiceModule<Context, string, string>[]
}

/** Everything that makes one service out of the platform. */
export type Service<Context extends Platform = Platform> = Endpoint<Context> & {
  name: ServiceName
  /** The introduction of its API reference, in simple Markdown. */
  description: string
  /** What the groups of its operations are about. */
  tags: Record<string, string>
  /** What its fields hold in the examples of the API reference. */
  examples: Examples
  /** The schema of `errorBody`. */
  errorSchema: object
  /** The OpenAPI security requirement of an access word; an empty list means public. */
  security(access: string): Record<string, string[]>[]
  securitySchemes: Record<string, object>
  /** Statuses with which every route of this access may be refused, besides the usual ones. For the documentation. */
  refuses?(access: string): number[]
  /** What statuses mean that only this service refuses with, and their codes. */
  meanings?: Record<number, { description: string; code: string }>
  context(platform: Platform): Context
  /** Other protocols for the same data, each on a port of its own. */
  endpoints?: Endpoint<Context>[]
  jobs(ctx: Context): Job[]
  site: Site
  console?: Console
  /** What can happen in it, for the reference; see `serveEvents`. */
  eventTypes?: Record<string, { about: string; data: object }>
  /** Fills the service with believable data, once, and returns how to sign in to it. */
  demo(ctx: Context, report?: Report): Promise<DemoLogin[]>
  /** Lines that tell what else there is to try with the demo. */
  demoHints?(ctx: Context): Promise<string[]>
  /** The path of the page where somebody with such a login begins. */
  entrance: string
  /** Checks every invariant of the stored data and returns the violations. */
  verify(ctx: Context, report?: Report): Promise<Finding[]>
}

export type ErrorDocument = { status: number; headers: Record<string, string>; body: string }

/** What the service is to browsers and search engines. */
type Site = {
  /** The page at its root, where the service has none of its own. */
  home?: Home
  /** What search engines may read and what not, by paths. `sitemap` is the path of a list of the rest. */
  robots: { allow?: string[]; disallow: string[]; sitemap?: string }
  /** For services that can be installed on a home screen. */
  manifest?: (platform: Platform) => { name: string; short_name: string; description: string; lang: string }
  /** The path of the page where people change their password. */
  changePassword?: string
}

type ErrorPage = { html: string; headers: Record<string, string> }

type DemoLogin = { role: string; login: string; password: string }

/** One broken invariant: which one, of what, and how the facts differ. */
export type Finding = { invariant: string; subject: string; detail: string }
