import { type Module, who } from '../access.ts'
import { BothForms } from '../dialect.ts'
import { usageHistory } from './history.ts'
import { HistoryQuery, UsageHistory, UsageSummary, UsageSummaryR } from './schema.ts'
import { usageSummary } from './usage.ts'

export const usage: Module = (app, ctx) => {
  app.get(
    '/usage/summary',
    {
      schema: {
        operationId: 'getUsageSummary',
        summary: 'Get usage',
        description:
          'Returns what the organization uses and how much it may use: stored bytes, bandwidth of this ' +
          'month, and its numbers of objects and buckets. Stored bytes include versions, deleted objects ' +
          'that can still be recovered, and parts of pending uploads. What is kept counts by number, too: ' +
          '`object_quota` is one for each 8 KiB of the storage quota.',
        tags: ['Usage'],
        response: { 200: BothForms(UsageSummary, UsageSummaryR) },
      },
      config: { access: 'usage.read', shape: 'usage' },
    },
    (req) => usageSummary(ctx, who(req)),
  )

  app.get(
    '/usage/history',
    {
      schema: {
        operationId: 'getUsageHistory',
        summary: 'Get usage by day',
        description:
          'Returns for each day (UTC) what was stored at its end, and how much was uploaded and downloaded ' +
          'on it, with the quotas of today. `from` and `to` are included; without them, these are the last ' +
          '30 days. At most 366 days can be asked for. Days before the organization was created, and days ' +
          'that have not begun, are left out.',
        tags: ['Usage'],
        querystring: HistoryQuery,
        response: { 200: UsageHistory },
      },
      config: { access: 'usage.read' },
    },
    (req) => usageHistory(ctx, who(req), req.query),
  )
}
