import type { RouteHandlerMethod } from 'fastify'

/** A key keeps its slashes, unless a client would resolve one of its segments. */
const encoded = (value: string) => {
  const segments = value.split('/')
  return segments.some((segment) => segment === '.' || segment === '..')
    ? encodeURIComponent(value)
    : segments.map(encodeURIComponent).join('/')
}

const fieldOf = (body: unknown, path: string) => {
  let value = body
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

/** Fills in `{field}` and `{field.of.field}` from a response. */
export const pathTo = (template: string, body: unknown) =>
  template.replaceAll(/\{([\w.]+)\}/g, (_, field: string) => encoded(String(fieldOf(body, field))))

/** Wraps a handler so that a response with status 201 says where to find what was created. */
export const locating = (
  template: string,
  publicUrl: string,
  handler: RouteHandlerMethod,
): RouteHandlerMethod => {
  // The service may be behind a path of its own.
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
  return async function located(req, reply) {
    const body = await handler.call(this, req, reply)
    if (reply.statusCode === 201) reply.header('location', prefix + pathTo(template, body))
    return body
  }
}
