import { Id, Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { idsIn } from './subjects.ts'
import { verify } from './verify.ts'

const Finding = Named('Finding', {
  invariant: Type.String({ description: 'What must hold' }),
  subject: Type.String({ description: 'Where it does not' }),
  detail: Type.String({ description: 'What was found instead' }),
  product_id: Type.Optional(Id),
  warehouse_id: Type.Optional(Id),
  order_id: Type.Optional(Id),
})

export const verifyRoutes: Module = (app, ctx) => {
  app.get(
    '/api/inventory/verify',
    {
      schema: {
        operationId: 'verifyInventory',
        summary: 'Verify stored data',
        description:
          "Checks every invariant of the company's stored data, such as that movements add up to " +
          'quantities, and returns the violations, with ids where they are about a product, a warehouse or an ' +
          'order. Nothing is changed. Admins only.',
        tags: ['Inventory'],
        response: {
          200: Type.Object({
            ok: Type.Boolean(),
            findings: Type.Array(Finding),
          }),
        },
      },
      config: { access: 'admin' },
    },
    async (req) => {
      const findings = await verify(ctx, who(req).tenantId)
      return {
        ok: findings.length === 0,
        findings: findings.map((one) => ({ ...one, ...idsIn(one.subject) })),
      }
    },
  )
}
