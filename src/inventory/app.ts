import { sessionScheme } from '#platform/auth/console-sessions.ts'
import { createTokens } from '#platform/auth/tokens.ts'
import { Named } from '#platform/http/schema.ts'
import type { Service } from '#platform/http/service.ts'
import { createOrRefuse } from '#platform/refusals.ts'
import { Type } from '#platform/type/type.ts'
import { errorPages } from '#platform/web/error-page.ts'
import { who, words } from './access.ts'
import { recovery } from './accounts/passwords.ts'
import { accountRoutes } from './accounts/routes.ts'
import { recorder } from './audit/recorder.ts'
import { auditRoutes } from './audit/routes.ts'
import { announceExpiring } from './batches/batches.ts'
import { batchRoutes } from './batches/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import type { Claims, Inventory } from './context.ts'
import { countRoutes } from './counts/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { demo } from './demo/demo.ts'
import { demoHints } from './demo/webhook.ts'
import { events, happenings } from './events/events.ts'
import { examples } from './examples.ts'
import { externalRoutes } from './external/routes.ts'
import { guard, logUse } from './guard.ts'
import { home } from './home.ts'
import { forgetOldUses } from './keys/keys.ts'
import { keyRoutes } from './keys/routes.ts'
import { orderOverviewRoutes } from './orders/overview-routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { labelRoutes } from './papers/label-routes.ts'
import { paperRoutes } from './papers/routes.ts'
import { forgetAbandonedImports } from './products/import.ts'
import { productRoutes } from './products/routes.ts'
import { purchasingRoutes } from './purchasing/routes.ts'
import { reorderRoutes } from './reorder/routes.ts'
import { reportExportRoutes } from './reports/export-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { serialRoutes } from './serials/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { stockRoutes } from './stock/routes.ts'
import { foldSums } from './stock/stock.ts'
import { supplierRoutes } from './suppliers/routes.ts'
import { userRoutes } from './users/routes.ts'
import { verifyRoutes } from './verify/routes.ts'
import { verify } from './verify/verify.ts'
import { warehouseRoutes } from './warehouses/routes.ts'

/** One resource each, with the words for what its SQL functions refuse. */
const modules: Service<Inventory>['modules'] = [
  accountRoutes,
  userRoutes,
  settingsRoutes,
  warehouseRoutes,
  categoryRoutes,
  productRoutes,
  stockRoutes,
  countRoutes,
  orderRoutes,
  orderOverviewRoutes,
  customerRoutes,
  supplierRoutes,
  purchasingRoutes,
  reorderRoutes,
  batchRoutes,
  serialRoutes,
  paperRoutes,
  labelRoutes,
  reportRoutes,
  reportExportRoutes,
  keyRoutes,
  externalRoutes,
  auditRoutes,
  verifyRoutes,
  happenings.routes,
]

/** The inventory and order management service: its table of contents. */
export const inventory: Service<Inventory> = {
  name: 'inventory',
  title: 'Trivet inventory',
  description: [
    'Products, stock, orders and purchasing for small companies, each in a tenant of its own.',
    'Sign in for a bearer token, valid for 8 hours. Money is a decimal string; an error is `{"error": "…"}`.',
  ].join('\n\n'),
  tags: {
    System: 'Health of the process and of the service.',
    Auth: 'Creating a company, signing in, and lost passwords.',
    Users: 'The people of a company and their roles.',
    Settings: 'Time zone, currency and other settings of a company.',
    Warehouses: 'Where stock is kept.',
    Products: 'The catalogue, with categories, images, import and export.',
    Inventory: 'Stock by product and warehouse, and the ledger of its movements.',
    Counts: 'Counting stock: entering, reviewing and posting what is really there.',
    Orders: 'Sales: reserving, shipping, cancelling and returning.',
    Customers: 'Who buys, and their addresses.',
    Suppliers: 'Who is bought from.',
    'Purchase orders': 'Ordering from suppliers, receiving, and suggestions what to reorder.',
    Batches: 'Stock with a batch number and an expiry date.',
    Serials: 'Units with a serial number each, and their life.',
    Reports: 'Sales, cost and value over time.',
    'Audit log': 'Who changed what, from where.',
    'API keys': 'Credentials for programs, and the log of their use.',
    Events: 'What happened, to be read in pages or as a stream.',
    Webhooks: 'Where events are sent as they happen.',
    'External API': 'For other systems, with API keys only.',
  },
  examples,
  context: (platform) => ({
    ...platform,
    tokens: createTokens<Claims>({
      key: platform.secrets.key('inventory.tokens'),
      audience: 'inventory',
      lifetimeSeconds: 8 * 3600,
      clock: platform.clock,
    }),
    orRefuse: createOrRefuse(modules),
  }),
  guard,
  answered: logUse,
  tenantOf: (req) => `inventory:${who(req).tenantId}`,
  repeatScope: (req) => (who(req).keyId === undefined ? `user:${who(req).userId}` : `key:${who(req).keyId}`),
  errorBody: ({ message, code, details, facts }, { id }) => ({
    error: message,
    code,
    request_id: id,
    ...(details?.length ? { details } : {}),
    ...facts,
  }),
  errorSchema: Named('Error', {
    error: Type.String({ description: 'For people.' }),
    code: Type.String({ description: 'For programs.', examples: ['not_enough_free'] }),
    request_id: Type.String({ description: 'The same as the header `X-Request-Id`.' }),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), reason: Type.String() }), {
        description: 'What is wrong with which field of the request, where that is known.',
      }),
    ),
  }),
  errorPage: errorPages('inventory'),
  console: {
    entry: new URL('../../web/inventory/main.tsx', import.meta.url),
    // Images of products are addresses that users have entered.
    imageSources: ['https:'],
    readsCodes: true,
  },
  site: { home, robots: { allow: ['/$', '/about$'], disallow: ['/'] } },
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  security: (access) =>
    access === 'public'
      ? []
      : access.startsWith('key:')
        ? [{ apiKey: [] }]
        : [{ bearer: [] }, { session: [] }],
  refuses: (access) => (access === 'public' ? [] : [402]),
  meanings: {
    402: {
      description: 'The subscription has expired: until it is renewed, only signing in works.',
      code: 'subscription_expired',
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from sign-in, valid 8 hours',
    },
    session: sessionScheme('inventory', '`POST /api/auth/session`'),
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'A key from `POST /api/api-keys`, for the external API only',
    },
  },
  words,
  recorder,
  modules,
  jobs: (ctx) => [
    ...recovery(ctx).jobs,
    ...happenings.jobs(ctx),
    { name: 'inventory.fold-sums', cron: '* * * * *', run: () => foldSums(ctx) },
    { name: 'inventory.announce-expiring', cron: '3 * * * *', run: () => announceExpiring(ctx) },
    { name: 'inventory.forget-api-uses', cron: '41 3 * * *', run: () => forgetOldUses(ctx) },
    {
      name: 'inventory.forget-abandoned-imports',
      cron: '47 * * * *',
      run: () => forgetAbandonedImports(ctx),
    },
  ],
  eventTypes: events.types,
  demo,
  demoHints,
  entrance: '/console',
  verify: (ctx, report) => verify(ctx, null, report),
}
