import type { RouteHandlerMethod } from 'fastify'

/** A key keeps its slashes, unless a client would resolve one of its segments. */
const encoded = (value: string) => {
  const segments = value.split('/')
  return segments.some((segment) => segment === '.' || segment === '..')
    ? encodeURIComponent(value)
    : segments.map(encodeURIComponent).join('/')
}

const fieldOf = (body: unknown, names: string[]) => {
  let value = body
  for (const name of names) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

/** Returns a function that fills in `{field}` and `{field.of.field}` from a response. */
export const pathFrom = (template: string) => {
  const [start, ...rest] = template.split('{')
  const parts = rest.map((part) => {
    const [field, text] = part.split('}') as [string, string]
    return { names: field.split('.'), text }
  })
  return (body: unknown) =>
    parts.reduce((path, { names, text }) => path + encoded(String(fieldOf(body, names))) + text, start!)
}

/** Wraps a handler so that a response with status 201 says where to find what was created. */
export const locating = (
  template: string,
  publicUrl: string,
  handler: RouteHandlerMethod,
): RouteHandlerMethod => {
  // The service may be behind a path of its own.
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
  const pathTo = pathFrom(prefix + template)
  return async function located(req, reply) {
    const body = await handler.call(this, req, reply)
    if (reply.statusCode === 201) reply.header('location', pathTo(body))
    return body
  }
}
