import { limitExports, type Module, who } from '../access.ts'
import { exportAccount, exportHeaders } from './export.ts'
import { exported } from './schema.ts'

export const accountExport: Module = (app, ctx) => {
  app.get(
    '/api/users/me/export',
    {
      schema: {
        operationId: 'exportAccount',
        summary: 'Export your account',
        description:
          'Returns everything that the account has here as one JSON document: profile and settings, posts with their ' +
          'earlier texts, likes, follows, blocks, mutes, and API keys without their secrets. It is read while it is ' +
          'sent, so what changes meanwhile may be in it or not. At most 5 an hour.',
        tags: ['Accounts'],
        response: { 200: exported },
      },
      config: { access: 'user' },
    },
    async (req, reply) => {
      const me = who(req)
      await limitExports(ctx, me, reply)
      reply.headers(exportHeaders(me.handle))
      return exportAccount(ctx, me)
    },
  )
}
