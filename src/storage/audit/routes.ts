import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import type { Storage } from '../context.ts'
import { listAudit } from './audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

export const audit: Module<Storage> = (app, ctx) => {
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
