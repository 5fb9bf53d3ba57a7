import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
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
        summary: 'All keys, never in full',
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
        summary: 'Make a key for the external API; it is shown once',
        tags,
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
      config,
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
        summary: 'Revoke a key from its next request on',
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
        summary: 'Every request made with a key, newest first',
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
