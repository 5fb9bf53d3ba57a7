import { invalid } from '#platform/errors.ts'
import { Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BothForms, dialectOf } from '../dialect.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { keyUses } from './last-use.ts'
import { ApiKey, ApiKeyCreated, ApiKeyPair, NewApiKey } from './schema.ts'

const tags = ['API keys']

const flushEveryMs = 10_000

export const keys: Module = (app, ctx) => {
  const uses = keyUses(ctx)
  const flushing = setInterval(() => void uses.flush(), flushEveryMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(flushing)
    await uses.flush()
  })

  app.get(
    '/auth/api-keys',
    {
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Returns your own keys that have not been revoked, newest first. Only the first 12 characters of ' +
          'a key are shown; the key itself cannot be read back. `parent_id` names the key it was made ' +
          'with, and is null for keys made by a signed-in person.',
        tags,
        response: { 200: Type.Array(ApiKey) },
      },
      config: { access: 'api_key.manage' },
    },
    (req) => listKeys(ctx, who(req)),
  )

  app.post(
    '/auth/api-keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Creates a key that acts with your current role; its secret is shown only in this response. Send ' +
          'it whole in `X-API-Key`, or as the pair `X-Api-Key` and `X-Api-Secret`. A key made with a key ' +
          'descends from it: policy statements that name the parent apply to it too, and it is revoked ' +
          'with its parent. Keys can descend for 20 generations; beyond that the request is refused with ' +
          '403.',
        tags,
        body: NewApiKey,
        response: { 201: BothForms(ApiKeyCreated, ApiKeyPair) },
      },
      config: { access: 'api_key.manage', shape: 'apiKeyCreated', showsSecret: true },
      // In Form S every field is optional, and so is the body.
      preValidation: async (req) => {
        req.body ??= {}
      },
    },
    async (req, reply) => {
      const label = req.body.label ?? null
      if (label === null && dialectOf(req) === 'R') invalid('label', 'is required')
      reply.code(201)
      return createKey(ctx, who(req), label ?? 'API key')
    },
  )

  app.delete(
    '/auth/api-keys/:id',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'Revokes a key and every key that was made with it. They are refused from the next request on. ' +
          'Revoking cannot be undone.',
        tags,
        params: Type.Object({ id: Uuid }),
        response: { 200: Type.Object({ revoked: Type.Boolean() }) },
      },
      config: { access: 'api_key.manage' },
    },
    async (req) => {
      await revokeKey(ctx, who(req), req.params.id)
      return { revoked: true }
    },
  )
}
