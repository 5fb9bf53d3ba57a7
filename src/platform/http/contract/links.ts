import type { RouteHandlerMethod, RouteOptions } from 'fastify'

/** `Link` to the next page of a list (RFC 8288): the same request with these parameters; null leaves one out. */
export const linkToNext = (
  { originalUrl }: { originalUrl: string },
  changes: Record<string, string | number | null>,
) => {
  const [, search = ''] = originalUrl.split('?', 2)
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name)
    else query.set(name, String(value))
  return `<?${query}>; rel="next"`
}

type Position = { page?: unknown; limit?: unknown; total?: unknown }
type Listed = Position & { meta?: Position; data?: { nextCursor?: unknown } }
type Query = { offset?: unknown }

const lengthOf = (body: object | null | undefined) =>
  Object.values(body ?? {}).find(Array.isArray)?.length ?? 0

/** What the request for the next page has instead; undefined on the last one. */
const nextOf = (body: Listed | null | undefined, { offset }: Query) => {
  const { page, limit, total } = body?.meta ?? body ?? {}
  if (typeof page === 'number' && typeof limit === 'number') {
    // A list that is not counted has a next page if this one is full.
    const hasNext = typeof total === 'number' ? page * limit < total : lengthOf(body) === limit
    return hasNext ? { page: page + 1 } : undefined
  }
  if (typeof offset === 'number' && typeof total === 'number') {
    const listed = lengthOf(body)
    return listed > 0 && offset + listed < total ? { offset: offset + listed } : undefined
  }
  const cursor = body?.data?.nextCursor
  return typeof cursor === 'string' ? { cursor } : undefined
}

/** Whether a route returns a list in pages. */
export const isPaged = ({ method, schema }: Pick<RouteOptions, 'method' | 'schema'>) => {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && ['page', 'cursor', 'offset'].some((name) => name in properties)
}

/** Wraps the handler of such a route so that each page links to the next one. */
export const linking = (handler: RouteHandlerMethod): RouteHandlerMethod =>
  async function linked(req, reply) {
    const body = await handler.call(this, req, reply)
    if (reply.sent || reply.hasHeader('link')) return body
    const next = nextOf(body as Listed | undefined, (req.query ?? {}) as Query)
    if (next) reply.header('link', linkToNext(req, next))
    return body
  }
