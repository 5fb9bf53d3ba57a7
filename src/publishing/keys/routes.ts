import { Type } from 'typebox'
import { Id, PathId } from '#platform/http/schema.ts'
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
        summary: 'Create a key; it is shown once',
        tags,
        body: NewKey,
        response: { 201: Ok(KeyCreated) },
      },
      config: { ...config, refuses: [422] },
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
        summary: 'Your keys, newest first, with the newest 100 of those that were revoked',
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
        summary: 'What each key has posted today',
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
        summary: 'What one key has posted today',
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
        summary: 'Revoke a key; it stops working at once',
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
