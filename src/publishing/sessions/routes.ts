import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { Session } from './schema.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'

const tags = ['Sessions']
const config = { access: 'user' } as const
const path = '/api/users/me/sessions'

export const sessions: Module = (app, ctx) => {
  app.get(
    path,
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          'Returns where you are signed in: browsers on the pages, and programs with tokens. The session that was used ' +
          'last comes first; there are at most 100. API keys are listed by `listKeys`.',
        tags,
        response: { 200: Ok(Type.Object({ sessions: Type.Array(Session) })) },
      },
      config,
    },
    async (req) => ok({ sessions: await listSessions(ctx, who(req)) }),
  )

  app.delete(
    `${path}/:id`,
    {
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description:
          'Ends a session: its cookie or its tokens are refused with 401 from the next request on. It may be the one ' +
          'that this request belongs to.',
        tags,
        params: PathId,
        response: { 200: Ok(Type.Object({ id: Id, ended: Type.Boolean() })) },
      },
      config,
    },
    async (req) => {
      await endSession(ctx, who(req), req.params.id)
      return ok({ id: req.params.id, ended: true })
    },
  )

  app.delete(
    path,
    {
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all other sessions',
        description: 'Ends every session but the one that this request belongs to. API keys stay valid.',
        tags,
        response: {
          200: Ok(Type.Object({ ended: Type.Integer({ description: 'How many sessions have ended' }) })),
        },
      },
      config,
    },
    async (req) => ok({ ended: await endOtherSessions(ctx, who(req)) }),
  )
}
