import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { draftFromSuggestions, listSuggestions } from './reorder.ts'
import { DraftRequest, Drafts, Suggestion, SuggestionQuery } from './schema.ts'

export const reorderRoutes: Module = (app, ctx) => {
  app.get(
    '/api/inventory/reorder-suggestions',
    {
      schema: {
        operationId: 'listReorderSuggestions',
        summary: 'List reorder suggestions',
        description:
          'Returns what to order, how much of it, from whom, and why. A product is suggested when what is ' +
          'available and on order does not exceed its reorder level, or what is expected to ship before a ' +
          'delivery could arrive. Demand is that of the last 30 days.',
        tags: ['Inventory'],
        querystring: SuggestionQuery,
        response: { 200: Type.Object({ suggestions: Type.Array(Suggestion), ...pageFields }) },
      },
      config: { access: 'staff' },
    },
    (req) => listSuggestions(ctx, who(req), req.query),
  )

  app.post(
    '/api/suppliers/purchase-orders/from-suggestions',
    {
      schema: {
        operationId: 'draftFromSuggestions',
        summary: 'Draft purchase orders from suggestions',
        description:
          'Drafts what is suggested, one purchase order for each supplier and warehouse. `items` chooses ' +
          'suggestions, and may change quantity and supplier. What has no supplier, or is not suggested ' +
          'any more, is skipped and listed. Drafts count as on order, so nothing is drafted twice. ' +
          'Admins and Managers may do this.',
        tags: ['Purchase orders'],
        body: DraftRequest,
        response: { 201: Drafts },
      },
      preValidation: async (req) => {
        req.body ??= {}
      },
      config: { access: 'manager', idempotent: true, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return draftFromSuggestions(ctx, who(req), req.body)
    },
  )
}
