import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { Message } from '../schema.ts'
import * as keys from './keys.ts'
import { ApiKey, CreatedApiKey, NewApiKey, UsageEntry, UsageQuery } from './schema.ts'
import { usageLog } from './usage.ts'

const tags = ['API keys']
const config = { access: 'manager' } as const

export const keyRoutes: Module = (app, ctx) => {
  app.get(
    '/api/api-keys',
    {
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Returns all keys of the company with their permissions, who made them, and when and how ' +
          'often they were used. The keys themselves are never shown again. Admins and Managers may do this.',
        tags,
        response: { 200: Type.Object({ api_keys: Type.Array(ApiKey) }) },
      },
      config,
    },
    (req) => keys.listKeys(ctx, who(req)),
  )

  app.post(
    '/api/api-keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Creates a key for the external API; it is shown only in this response. A key may read, or read ' +
          'and write, and may expire on a day. It is refused while its creator is banned. Admins and ' +
          'Managers may do this.',
        tags,
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
      config: { ...config, showsSecret: true },
    },
    async (req, reply) => {
      reply.code(201)
      return keys.createKey(ctx, who(req), req.body)
    },
  )

  app.delete(
    '/api/api-keys/:id',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'Revokes a key, which is refused with 401 from the next request on. Revoking cannot be undone. ' +
          'Admins and Managers may do this.',
        tags,
        params: PathId,
        response: { 200: Message },
      },
      config,
    },
    (req) => keys.revokeKey(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/api-keys/logs/all',
    {
      schema: {
        operationId: 'listApiUsage',
        summary: 'List API requests',
        description:
          'Returns the requests made with keys, newest first, with their path, status, duration and ' +
          'address; with `failed`, only those that failed. Refused requests of known keys are included. ' +
          'Admins and Managers may do this.',
        tags,
        querystring: UsageQuery,
        response: { 200: Type.Object({ logs: Type.Array(UsageEntry), ...pageFields }) },
      },
      config,
    },
    (req) => keys.listUses(ctx, who(req), req.query),
  )

  app.addHook('onClose', () => usageLog(ctx).flush())
}
