import { type Module, who } from '../access.ts'
import { listAudit } from './audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const auditRoutes: Module = (app, ctx) => {
  app.get(
    '/api/audit-logs',
    {
      schema: {
        operationId: 'listAuditLogs',
        summary: 'List audit log entries',
        description:
          'Returns who changed what in the company and from which address, newest first, by pages: `next_cursor` is the ' +
          '`cursor` of the next one. `user_id` selects what one person did, `action` one kind of change, `from` and `to` ' +
          'days. An entry with neither user nor key is the operator’s. What stock, orders and serials go through is in ' +
          'their own histories. Admins only.',
        tags: ['Audit log'],
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
      config: { access: 'admin' },
    },
    (req) => listAudit(ctx, who(req), req.query),
  )
}
