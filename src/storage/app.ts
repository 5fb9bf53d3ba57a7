import { serveEvents } from '#events/serve.ts'
import { sessionScheme } from '#platform/auth/console-sessions.ts'
import type { Service } from '#platform/http/service.ts'
import { createOrRefuse } from '#platform/refusals.ts'
import { errorPages } from '#platform/web/error-page.ts'
import { forPeopleAlone, who, words } from './access.ts'
import { recovery } from './accounts/recovery.ts'
import { accounts } from './accounts/routes.ts'
import { audit } from './audit/routes.ts'
import { billing } from './billing/routes.ts'
import { measuredBlobs } from './blobs/measured.ts'
import { bucketAdmin } from './bucket-admin/routes.ts'
import { authorizeAgain, type Grant } from './buckets/authorize.ts'
import { policies } from './buckets/policy-routes.ts'
import { buckets } from './buckets/routes.ts'
import type { Storage } from './context.ts'
import { demo } from './demo/demo.ts'
import { speakBothForms } from './dialect.ts'
import { endpoints } from './endpoints/routes.ts'
import { errorBody, errorSchema } from './error-body.ts'
import { events } from './events/events.ts'
import { examples } from './examples.ts'
import { guard } from './guard.ts'
import { home } from './home.ts'
import { keys } from './keys/routes.ts'
import { lifecycle } from './lifecycle/routes.ts'
import { members } from './members/routes.ts'
import { multipart } from './multipart/routes.ts'
import { objectActions } from './objects/action-routes.ts'
import { objects } from './objects/routes.ts'
import { objectTags } from './objects/tags/routes.ts'
import { trash } from './objects/trash/routes.ts'
import { uploads } from './objects/write/routes.ts'
import { s3 } from './s3/routes.ts'
import { settings } from './settings/routes.ts'
import { linkWords } from './signed-urls/refusals.ts'
import { signedUrls } from './signed-urls/routes.ts'
import { upkeep, upkeepJobs } from './upkeep.ts'
import { usage } from './usage/routes.ts'
import { verify } from './verify/verify.ts'

const happenings = serveEvents('storage', events)

/** One resource each, with the words for what its SQL functions refuse. */
const modules: Service<Storage>['modules'] = [
  speakBothForms,
  upkeep,
  accounts,
  keys,
  members,
  settings,
  buckets,
  policies,
  bucketAdmin,
  lifecycle,
  objects,
  objectActions,
  objectTags,
  trash,
  uploads,
  signedUrls,
  multipart,
  usage,
  audit,
  billing,
  endpoints,
  happenings.routes,
]

/** The object storage service: its table of contents. */
export const storage: Service<Storage> = {
  name: 'storage',
  title: 'Trivet object storage',
  description: [
    'Multi-tenant object storage: organizations, buckets, objects, signed URLs.',
    'Sign in for a bearer token, or create an API key and send it as `X-API-Key`.',
    'Requests and responses come in two dialects, **Form S** and **Form R**; ask for one with `X-Api-Form`.',
  ].join('\n\n'),
  tags: {
    System: 'Health of the process and of the service.',
    Auth: 'Creating an organization, signing in, and lost passwords.',
    'API keys': 'Credentials for programs. A key made with another key descends from it.',
    Members: 'The people of an organization and their roles. Only owners can change them.',
    Settings: 'The password and two-factor sign-in of the person who is signed in.',
    Buckets: 'Containers of objects, with visibility, versioning and quota.',
    Policies: 'Who may do what with which objects of a bucket.',
    Lifecycle: 'By which rules the contents of a bucket go by themselves.',
    Objects: 'Uploading, reading, listing, copying, moving, deleting and recovering.',
    'Signed URLs': 'Links that allow one operation on one object for a limited time, without credentials.',
    'Multipart uploads': 'Large objects in parts, which may arrive in any order and be sent again.',
    Usage: 'Stored bytes, traffic, and the audit log.',
    Events: 'What happened, to be read in pages or as a stream.',
    Webhooks: 'Where events are sent as they happen.',
    Billing: 'Plans, purchases and promotional codes.',
  },
  examples,
  context: (platform) => ({ ...platform, orRefuse: createOrRefuse(modules) }),
  guard,
  measured: measuredBlobs,
  tenantOf: (req) => `storage:${who(req).orgId}`,
  repeatScope: (req) => who(req).keyId ?? who(req).userId,
  grants: {
    given: (req) => who(req).grants,
    demandAgain: (ctx, req, granted) => authorizeAgain(ctx, who(req), (granted ?? []) as Grant[]),
  },
  errorBody,
  errorSchema,
  errorPage: errorPages('storage', linkWords),
  console: { entry: new URL('../../web/storage/main.tsx', import.meta.url) },
  site: { home, robots: { allow: ['/$', '/about$'], disallow: ['/'] } },
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  security: (access) => {
    if (access === 'public') return []
    if (forPeopleAlone(access)) return [{ bearer: [] }, { session: [] }]
    return [{ apiKey: [] }, { bearer: [] }, { apiKey: [], secretKey: [] }, { session: [] }]
  },
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'An API key. In Form R the access key (`obj_…`), together with `X-Api-Secret`.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from sign-in, valid 12 hours',
    },
    session: sessionScheme('storage', '`POST /auth/session`'),
    secretKey: { type: 'apiKey', in: 'header', name: 'X-Api-Secret', description: 'Form R: its secret' },
  },
  words,
  modules,
  jobs: (ctx) => [...recovery(ctx).jobs, ...upkeepJobs(ctx), ...happenings.jobs(ctx)],
  eventTypes: events.types,
  endpoints: [s3],
  demo,
  entrance: '/console',
  verify,
}
