import { createTokens } from '#platform/auth/tokens.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Service } from '#platform/http/service.ts'
import { who, words } from './access.ts'
import { recovery } from './accounts/passwords.ts'
import { accounts } from './accounts/routes.ts'
import { findPerson } from './accounts/store.ts'
import { batchRoutes } from './batches/routes.ts'
import { categories } from './categories/routes.ts'
import type { Claims, Inventory, KnownKey, Person } from './context.ts'
import { customerRoutes } from './customers/routes.ts'
import { demo } from './demo.ts'
import { externalRoutes } from './external/routes.ts'
import { guard, logUse } from './guard.ts'
import { forgetOldUses, keyTopic } from './keys/keys.ts'
import { keyRoutes } from './keys/routes.ts'
import { findKey } from './keys/store.ts'
import { createUsageLog } from './keys/usage.ts'
import { orderRoutes } from './orders/routes.ts'
import { forgetAbandonedImports } from './products/import.ts'
import { productRoutes } from './products/routes.ts'
import { purchasingRoutes } from './purchasing/routes.ts'
import { reorderRoutes } from './reorder/routes.ts'
import { createRankings } from './reports/ranking.ts'
import { reportRoutes } from './reports/routes.ts'
import { serialRoutes } from './serials/routes.ts'
import { settings } from './settings/routes.ts'
import { stockRoutes } from './stock/routes.ts'
import { foldSums } from './stock/stock.ts'
import { supplierRoutes } from './suppliers/routes.ts'
import { users } from './users/routes.ts'
import { userTopic } from './users/users.ts'
import { verifyRoutes } from './verify/routes.ts'
import { verify } from './verify/verify.ts'
import { warehouses } from './warehouses/routes.ts'

/** The inventory and order management service: its table of contents. */
export const inventory: Service<Inventory> = {
  name: 'inventory',
  title: 'Trivet inventory',
  description: [
    'Products, stock, orders and purchasing for small companies, each in a tenant of its own.',
    'Sign in for a bearer token, valid for 8 hours. Money is a decimal string; an error is `{"error": "…"}`.',
  ].join('\n\n'),
  context: (platform) => ({
    ...platform,
    tokens: createTokens<Claims>({
      key: platform.secrets.key('inventory.tokens'),
      audience: 'inventory',
      lifetimeSeconds: 8 * 3600,
      clock: platform.clock,
    }),
    people: signalledCache<Person | undefined>(platform.signals, {
      topic: userTopic,
      max: 50_000,
      load: (id) => findPerson(platform.db.sql, Number(id)),
    }),
    keys: signalledCache<KnownKey | undefined>(platform.signals, {
      topic: keyTopic,
      max: 50_000,
      load: (hash) => findKey(platform.db.sql, Buffer.from(hash, 'base64')),
    }),
    usage: createUsageLog(platform),
    rankings: createRankings(),
  }),
  guard,
  answered: logUse,
  repeatScope: (req) => (who(req).keyId === undefined ? `user:${who(req).userId}` : `key:${who(req).keyId}`),
  errorBody: ({ message }) => ({ error: message }),
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  security: (access) =>
    access === 'public' ? [] : [access.startsWith('key:') ? { apiKey: [] } : { bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from sign-in, valid 8 hours',
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'A key from `POST /api/api-keys`, for the external API only',
    },
  },
  words,
  modules: [
    accounts,
    users,
    settings,
    warehouses,
    categories,
    productRoutes,
    stockRoutes,
    orderRoutes,
    customerRoutes,
    supplierRoutes,
    purchasingRoutes,
    reorderRoutes,
    batchRoutes,
    serialRoutes,
    reportRoutes,
    keyRoutes,
    externalRoutes,
    verifyRoutes,
  ],
  jobs: (ctx) => [
    ...recovery(ctx).jobs,
    { name: 'inventory.fold-sums', cron: '* * * * *', run: () => foldSums(ctx) },
    { name: 'inventory.forget-api-uses', cron: '41 3 * * *', run: () => forgetOldUses(ctx) },
    {
      name: 'inventory.forget-abandoned-imports',
      cron: '47 * * * *',
      run: () => forgetAbandonedImports(ctx),
    },
  ],
  demo,
  verify: (ctx) => verify(ctx),
}
