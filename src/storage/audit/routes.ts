import { type Module, who } from '../access.ts'
import { listAudit } from './audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const audit: Module = (app, ctx) => {
  app.get(
    '/audit-logs',
    {
      schema: {
        operationId: 'listAuditLogs',
        summary: 'What happened in the organization, newest first',
        tags: ['Usage'],
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
      config: { access: 'audit.read' },
    },
    (req) => listAudit(ctx, who(req), req.query),
  )
}
