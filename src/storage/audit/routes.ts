import { type Module, who } from '../access.ts'
import { listAudit } from './audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const audit: Module = (app, ctx) => {
  app.get(
    '/audit-logs',
    {
      schema: {
        operationId: 'listAuditLogs',
        summary: 'List audit log entries',
        description:
          'Returns what happened in the organization, newest first: who did it, from which address, and to ' +
          'what. `action` selects one kind of event, such as `object.uploaded`; `objectKey` matches a part ' +
          'of the key. Owners and admins may read the log.',
        tags: ['Usage'],
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
      config: { access: 'audit.read' },
    },
    (req) => listAudit(ctx, who(req), req.query),
  )
}
