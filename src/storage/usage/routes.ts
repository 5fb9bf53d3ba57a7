import { type Module, who } from '../access.ts'
import { BothForms } from '../dialect.ts'
import { UsageSummary, UsageSummaryR } from './schema.ts'
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
          'that can still be recovered, and parts of pending uploads.',
        tags: ['Usage'],
        response: { 200: BothForms(UsageSummary, UsageSummaryR) },
      },
      config: { access: 'usage.read', shape: 'usage' },
    },
    (req) => usageSummary(ctx, who(req)),
  )
}
