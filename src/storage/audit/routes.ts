import { csvFile, csvHeaders } from '#platform/http/response/csv.ts'
import { type Module, who } from '../access.ts'
import { auditChoices, listAudit } from './audit.ts'
import { exportAudit } from './export.ts'
import { AuditChoices, AuditFilter, AuditPage, AuditQuery } from './schema.ts'

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
          'of the key; `actorUserId` selects what one person did; `from` and `to` a time. Owners and admins ' +
          'may read the log.',
        tags: ['Usage'],
        querystring: AuditQuery,
        response: { 200: AuditPage },
      },
      config: { access: 'audit.read' },
    },
    (req) => listAudit(ctx, who(req), req.query),
  )

  app.get(
    '/audit-logs.csv',
    {
      schema: {
        operationId: 'exportAuditLogs',
        summary: 'Export the audit log',
        description:
          'Returns all entries that match, newest first, as CSV (RFC 4180, UTF-8), with the filters of the ' +
          'list. `actor_email` is empty for people who have left. Values that a spreadsheet would run as ' +
          'formulas are made harmless. Owners and admins may read the log.',
        tags: ['Usage'],
        querystring: AuditFilter,
        response: { 200: csvFile('One line for each entry') },
      },
      config: { access: 'audit.read' },
    },
    async (req, reply) => {
      reply.headers(csvHeaders('audit-log.csv'))
      return exportAudit(ctx, who(req), req.query)
    },
  )

  app.get(
    '/audit-logs/filters',
    {
      schema: {
        operationId: 'listAuditFilters',
        summary: 'List what the audit log can be filtered by',
        description:
          'Returns the actions that the log has, each with its number of entries, and the people of the ' +
          'organization. Owners and admins may read them.',
        tags: ['Usage'],
        response: { 200: AuditChoices },
      },
      config: { access: 'audit.read' },
    },
    (req) => auditChoices(ctx, who(req)),
  )
}
