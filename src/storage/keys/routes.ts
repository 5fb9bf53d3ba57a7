import { Type } from 'typebox'
import { invalid } from '#platform/errors.ts'
import { Uuid } from '#platform/http/schema.ts'
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
        summary: 'Your live keys, newest first',
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
        summary: 'Create a key; its secret is shown once',
        description:
          'A key made with a key descends from it: policy statements that name the one hold for the other, and it is ' +
          'revoked with it. Down to the 20th generation; 403 beyond.',
        tags,
        body: NewApiKey,
        response: { 201: BothForms(ApiKeyCreated, ApiKeyPair) },
      },
      config: { access: 'api_key.manage', shape: 'apiKeyCreated' },
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
        summary: 'Revoke a key and all that were made with it; they stop working at once',
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
