import { Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import type { Module } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { Handle } from '../profiles/schema.ts'
import { decisions } from './decisions.ts'
import { setFlags } from './flags.ts'

const Decision = Named('Decision', {
  handle: Type.String(),
  is_suspended: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
  is_admin: Type.Optional(Type.Boolean()),
})

/** What the operator can do by command, for admins over HTTP. */
export const admin: Module = (app, ctx) => {
  for (const [word, { flags, ...texts }] of Object.entries(decisions))
    app.post(
      `/api/admin/users/:handle/${word}`,
      {
        schema: {
          operationId: `${word}Account`,
          ...texts,
          tags: ['Administration'],
          params: Handle,
          response: { 200: Ok(Decision) },
        },
        config: { access: 'admin' },
      },
      async (req) => ok(await setFlags(ctx, req.params.handle, flags)),
    )
}
