import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { createTokens } from '#platform/auth/tokens.ts'
import type { Service } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import { guard, who } from './access.ts'
import { createPeopleCache } from './accounts/people.ts'
import { recovery } from './accounts/recovery.ts'
import { accounts } from './accounts/routes.ts'
import { createArrivals } from './arrivals/reservations.ts'
import { audit } from './audit/routes.ts'
import { billingCommands } from './billing/commands.ts'
import { createPlanCache } from './billing/plans.ts'
import { sandboxProvider } from './billing/providers/sandbox.ts'
import { stripeProvider } from './billing/providers/stripe.ts'
import { billing } from './billing/routes.ts'
import { createBlobs } from './blobs/blobs.ts'
import { blobCommands } from './blobs/commands.ts'
import { createBucketCache } from './buckets/buckets.ts'
import { buckets } from './buckets/routes.ts'
import type { Claims, Grant, Storage } from './context.ts'
import { demo } from './demo.ts'
import { speakBothForms } from './dialect.ts'
import { createKeyCache } from './keys/keys.ts'
import { createLastUse } from './keys/last-use.ts'
import { keys } from './keys/routes.ts'
import { members } from './members/routes.ts'
import { multipart } from './multipart/routes.ts'
import { objectActions } from './objects/action-routes.ts'
import { createCounts } from './objects/counting.ts'
import { createDownloadedUrls, fastDownloads } from './objects/fast-downloads.ts'
import { createHeadCache } from './objects/heads.ts'
import { objects } from './objects/routes.ts'
import { uploads } from './objects/upload-routes.ts'
import { demandAgain } from './policies/authorize.ts'
import { policies } from './policies/routes.ts'
import { settings } from './settings/routes.ts'
import { signedUrls } from './signed-urls/routes.ts'
import { createTraffic } from './traffic/traffic.ts'
import { upkeep, upkeepJobs } from './upkeep.ts'
import { usage } from './usage/routes.ts'
import { verify } from './verify.ts'

/** Card payments where a provider is configured, else the sandbox. */
const payments = (platform: Platform): Pick<Storage, 'payments' | 'sandbox'> => {
  const { stripe } = platform.config
  if (stripe) return { payments: stripeProvider(stripe, platform), sandbox: null }
  const sandbox = sandboxProvider(platform)
  return { payments: sandbox, sandbox }
}

/** The object storage service: its table of contents. */
export const storage: Service<Storage> = {
  name: 'storage',
  title: 'Trivet object storage',
  description: [
    'Multi-tenant object storage: organizations, buckets, objects, signed URLs.',
    'Sign in for a bearer token, or create an API key and send it as `X-API-Key`.',
    'Requests and answers come in two dialects, **Form S** and **Form R**; ask for one with `X-Api-Form`.',
  ].join('\n\n'),
  migrations: { schema: 'storage', folder: new URL('./migrations/', import.meta.url) },
  context: (platform) => ({
    ...platform,
    ...payments(platform),
    tokens: createTokens<Claims>({
      key: platform.secrets.key('storage.tokens'),
      audience: 'storage',
      lifetimeSeconds: 12 * 3600,
      clock: platform.clock,
    }),
    people: createPeopleCache(platform),
    keys: createKeyCache(platform),
    keyUses: createLastUse(platform),
    plans: createPlanCache(platform),
    buckets: createBucketCache(platform),
    heads: createHeadCache(platform),
    counts: createCounts(),
    downloadedUrls: createDownloadedUrls(),
    blobs: createBlobs(platform),
    arrivals: createArrivals(),
    traffic: createTraffic(platform),
  }),
  guard,
  fastPath: fastDownloads,
  repeatScope: (req) => who(req).keyId ?? who(req).userId,
  grants: {
    given: (req) => who(req).grants,
    demandAgain: (ctx, req, granted) => demandAgain(ctx, who(req), granted as Grant[] | null),
  },
  errorBody: ({ message, details }, { id }) => ({ message, error: message, details, requestId: id }),
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  security: (access) =>
    access === 'public' ? [] : [{ apiKey: [] }, { bearer: [] }, { accessKey: [], secretKey: [] }],
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A whole API key' },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from sign-in, valid 12 hours',
    },
    accessKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'Form R: the access key (`obj_…`)',
    },
    secretKey: { type: 'apiKey', in: 'header', name: 'X-Api-Secret', description: 'Form R: its secret' },
  },
  modules: [
    speakBothForms,
    upkeep,
    accounts,
    keys,
    members,
    settings,
    buckets,
    policies,
    objects,
    objectActions,
    uploads,
    signedUrls,
    multipart,
    usage,
    audit,
    billing,
  ],
  jobs: (ctx) => [...recovery(ctx).jobs, ...upkeepJobs(ctx)],
  commands: (operate) => [
    ...billingCommands(operate),
    ...blobCommands(operate),
    passwordCommand('storage', operate, recovery),
  ],
  demo,
  verify,
}
