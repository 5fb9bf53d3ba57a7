import { Type } from 'typebox'
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
        summary: 'What to order, how much of it, and why',
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
        summary: 'Draft what is suggested, one purchase order for each supplier and warehouse',
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
