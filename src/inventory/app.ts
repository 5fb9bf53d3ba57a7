import { createTokens } from '#platform/auth/tokens.ts'
import { signalledCache } from '#platform/cache.ts'
import type { Service } from '#platform/http/service.ts'
import { guard, who } from './access.ts'
import { accounts } from './accounts/routes.ts'
import { findPerson } from './accounts/store.ts'
import type { Claims, Inventory, Person } from './context.ts'
import { demo } from './demo.ts'
import { warehouses } from './warehouses/routes.ts'

/** The inventory and order management service: its table of contents. */
export const inventory: Service<Inventory> = {
  name: 'inventory',
  title: 'Trivet inventory',
  description: [
    'Products, stock, orders and purchasing for small companies, each in a tenant of its own.',
    'Sign in for a bearer token, valid for 8 hours. Money is a decimal string; an error is `{"error": "…"}`.',
  ].join('\n\n'),
  migrations: { schema: 'inventory', folder: new URL('./migrations/', import.meta.url) },
  context: (platform) => ({
    ...platform,
    tokens: createTokens<Claims>({
      key: platform.secrets.key('inventory.tokens'),
      audience: 'inventory',
      lifetimeSeconds: 8 * 3600,
      clock: platform.clock,
    }),
    people: signalledCache<Person | undefined>(platform.signals, {
      topic: 'inventory.user',
      max: 50_000,
      load: (id) => findPerson(platform.db.sql, Number(id)),
    }),
  }),
  guard,
  repeatScope: (req) => String(who(req).tenantId),
  errorBody: ({ message }) => ({ error: message }),
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  security: (access) => (access === 'public' ? [] : [{ bearer: [] }]),
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from sign-in, valid 8 hours',
    },
  },
  modules: [accounts, warehouses],
  jobs: () => [],
  commands: () => [],
  demo,
  verify: async () => [],
}
