import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { verify } from './verify.ts'

export const verifyRoutes: Module = (app, ctx) => {
  app.get(
    '/api/inventory/verify',
    {
      schema: {
        operationId: 'verifyInventory',
        summary: 'Verify stored data',
        description:
          "Checks every invariant of the company's stored data, such as that movements add up to " +
          'quantities, and returns the violations. Nothing is changed. Admins only.',
        tags: ['Inventory'],
        response: {
          200: Type.Object({
            ok: Type.Boolean(),
            findings: Type.Array(
              Type.Object({ invariant: Type.String(), subject: Type.String(), detail: Type.String() }),
            ),
          }),
        },
      },
      config: { access: 'admin' },
    },
    async (req) => {
      const findings = await verify(ctx, who(req).tenantId)
      return { ok: findings.length === 0, findings }
    },
  )
}
