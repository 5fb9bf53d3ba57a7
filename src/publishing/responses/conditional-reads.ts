import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import { notModified } from '#platform/http/schema.ts'
import type { Module } from '../access.ts'
import type { Publishing } from '../context.ts'
import { cachedJson } from './cached-response.ts'
import { cachingOf, sendResponse, tagged } from './send.ts'

/** Whether a route returns JSON that may be read without signing in. Feeds and the widget have a 304 of their own. */
const isPublicJson = ({ method, schema, config }: RouteOptions) => {
  const response = schema?.response as Record<number, unknown> | undefined
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && config?.access === 'reader' && response?.[200] && !response[304]
}

/** What the handler returns, or a 304 to a client that has it. A handler may send a response itself. */
const conditional = (ctx: Publishing, route: string, handler: RouteHandlerMethod): RouteHandlerMethod =>
  async function read(req, reply) {
    const body = await handler.call(this, req, reply)
    if (reply.sent || body === reply) return body
    return sendResponse(req, reply, cachedJson(route, body as object, cachingOf(ctx.config, req)))
  }

/** Lets clients ask again with the tag that they have, wherever JSON may be read without signing in. */
export const conditionalReads: Module = (app, ctx) => {
  app.addHook('onRoute', (route) => {
    if (!isPublicJson(route)) return
    const { response } = route.schema as { response: object }
    route.schema = { ...route.schema, response: { ...response, 304: notModified } }
    route.config = { ...route.config, ...tagged, refuses: [...(route.config?.refuses ?? []), 412] }
    route.handler = conditional(ctx, route.url, route.handler)
  })
}
