import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { createKey, listKeys, readKeyUsage, readUsage, revokeKey } from './keys.ts'
import { Key, KeyCreated, KeyUsage, NewKey } from './schema.ts'

const tags = ['Developer keys']
const config = { access: 'user' } as const

export const keys: Module = (app, ctx) => {
  app.post(
    '/api/developer/keys',
    {
      schema: {
        operationId: 'createKey',
        summary: 'Create an API key',
        description:
          'Creates a key with which a script can post in your name; it is shown only in this response. ' +
          '`daily_post_limit` is 100 by default and at most 1000. An account can have 5 active keys; a ' +
          'sixth is refused with 422.',
        tags,
        body: NewKey,
        response: { 201: Ok(KeyCreated) },
      },
      config: { ...config, refuses: [422], showsSecret: true },
    },
    async (req, reply) => {
      const created = await createKey(ctx, who(req), req.body)
      reply.code(201)
      return ok(created)
    },
  )

  app.get(
    '/api/developer/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: 'List API keys',
        description:
          'Returns your keys, newest first: the active ones, and the newest 100 of those that were ' +
          'revoked. Only the first 12 characters of a key are shown.',
        tags,
        response: { 200: Ok(Type.Object({ keys: Type.Array(Key) })) },
      },
      config,
    },
    async (req) => ok({ keys: await listKeys(ctx, who(req)) }),
  )

  app.get(
    '/api/developer/keys/usage',
    {
      schema: {
        operationId: 'listKeyUsage',
        summary: 'List key usage',
        description:
          'Returns for each key how many posts it has made today and how many remain. Days begin at ' +
          'midnight UTC.',
        tags,
        response: { 200: Ok(Type.Object({ usage: Type.Array(KeyUsage) })) },
      },
      config,
    },
    async (req) => ok({ usage: await readUsage(ctx, who(req)) }),
  )

  app.get(
    '/api/developer/keys/:id/usage',
    {
      schema: {
        operationId: 'getKeyUsage',
        summary: 'Get usage of a key',
        description:
          'Returns how many posts a key has made today and how many remain. Days begin at midnight UTC. ' +
          "Another account's key returns 404.",
        tags,
        params: PathId,
        response: { 200: Ok(Type.Object({ usage: KeyUsage })) },
      },
      config,
    },
    async (req) => ok({ usage: await readKeyUsage(ctx, who(req), req.params.id) }),
  )

  app.delete(
    '/api/developer/keys/:id',
    {
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description:
          'Revokes a key, which is refused with 401 from the next request on. It stays listed with ' +
          '`is_active: false`. Revoking cannot be undone.',
        tags,
        params: PathId,
        response: { 200: Ok(Type.Object({ id: Id, revoked: Type.Boolean() })) },
      },
      config,
    },
    async (req) => {
      await revokeKey(ctx, who(req), req.params.id)
      return ok({ id: req.params.id, revoked: true })
    },
  )
}
