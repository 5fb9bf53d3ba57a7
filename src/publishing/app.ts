import { serveEvents } from '#events/serve.ts'
import { createTokens } from '#platform/auth/tokens.ts'
import type { Service } from '#platform/http/service.ts'
import { who, words } from './access.ts'
import { deleteExpiredChanges, emailJobs } from './accounts/email.ts'
import { recovery } from './accounts/passwords.ts'
import { accounts } from './accounts/routes.ts'
import { admin } from './admin/routes.ts'
import type { Claims, Publishing } from './context.ts'
import { demo } from './demo/demo.ts'
import { discovery } from './discovery/routes.ts'
import { Failure, failure } from './envelope.ts'
import { events } from './events/events.ts'
import { examples } from './examples.ts'
import { accountExport } from './export/routes.ts'
import { feeds } from './feeds/routes.ts'
import { fieldAliases } from './field-aliases.ts'
import { graph } from './graph/routes.ts'
import { guard } from './guard.ts'
import { instance } from './instance/routes.ts'
import { interactions } from './interactions/routes.ts'
import { keys } from './keys/routes.ts'
import { digestJob } from './notifications/digests.ts'
import { forgetOldNotifications } from './notifications/notifications.ts'
import { notifications } from './notifications/routes.ts'
import { oembed } from './oembed/routes.ts'
import { errorPage } from './pages/errors.ts'
import { pages } from './pages/routes.ts'
import { pictures } from './pictures/routes.ts'
import { pictureJobs } from './pictures/upkeep.ts'
import { posts } from './posts/routes.ts'
import { profiles } from './profiles/routes.ts'
import { reconcileMarkedAccounts } from './reconcile/reconcile.ts'
import { conditionalReads } from './responses/conditional-reads.ts'
import { fastPath } from './responses/fast-path.ts'
import { search } from './search/routes.ts'
import { sessions } from './sessions/routes.ts'
import { deleteExpiredSessions } from './sessions/sessions.ts'
import { accessLifetimeSeconds } from './sessions/tokens.ts'
import { site } from './site.ts'
import { timelines } from './timelines/routes.ts'
import { verify } from './verify/verify.ts'
import { websubJob } from './websub/websub.ts'
import { embedErrorPage } from './widget/errors.ts'
import { widget } from './widget/routes.ts'

const happenings = serveEvents('publishing', events)

/** The short-message publishing service: its table of contents. */
export const publishing: Service<Publishing> = {
  name: 'publishing',
  title: 'Trivet publishing',
  description: [
    'Short messages with public reads, and posting by script.',
    'Every JSON response is an envelope: `success`, and `data` or `message`.',
    'Sign in for a bearer token (15 minutes) and a refresh token (30 days, each works once).',
  ].join('\n\n'),
  tags: {
    System: 'Health of the process and of the service.',
    Accounts: 'Creating an account, signing in and out, and lost passwords.',
    Sessions: 'Where you are signed in.',
    Profiles: 'What an account shows of itself.',
    Posts: 'Writing, reading, editing and deleting posts.',
    Interactions: 'Likes, reposts and replies.',
    Graph: 'Following, blocking and muting.',
    Notifications: 'What others did that concerns you.',
    Events: 'What happened, to be read in pages or as a stream.',
    Webhooks: 'Where events are sent as they happen.',
    Timelines: 'Posts of those one follows, of everybody, and of a hashtag.',
    Search: 'Posts, people and hashtags by words.',
    'Developer keys': 'Keys for posting by script, each with a daily limit.',
    Administration: 'For admins only.',
    Feeds: 'RSS, Atom and JSON Feed of profiles, hashtags, searches and all public posts.',
    Widget: 'Posts of an account within a page of somebody else.',
  },
  examples,
  context: (platform) => ({
    ...platform,
    tokens: createTokens<Claims>({
      key: platform.secrets.key('publishing.tokens'),
      audience: 'publishing',
      lifetimeSeconds: accessLifetimeSeconds,
      clock: platform.clock,
    }),
  }),
  guard,
  beforeRouting: fastPath,
  tenantOf: (req) => `publishing:${who(req).userId}`,
  repeatScope: (req) => (who(req).keyId === undefined ? `user:${who(req).userId}` : `key:${who(req).keyId}`),
  errorBody: failure,
  errorSchema: Failure,
  errorPage: (...args) => embedErrorPage(...args) ?? errorPage(...args),
  site,
  statuses: { invalid: 422, mediaType: 415, keyReused: 422 },
  security: (access) =>
    ['open', 'public', 'page'].includes(access)
      ? []
      : access === 'reader'
        ? [{}, { bearer: [] }]
        : access === 'poster'
          ? [{ apiKey: [] }, { bearer: [] }]
          : access === 'listener'
            ? [{}, { apiKey: [] }, { bearer: [] }]
            : [{ bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token from sign-in',
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'A developer key, for posting and for reading events',
    },
  },
  words,
  modules: [
    fieldAliases,
    conditionalReads,
    accounts,
    sessions,
    accountExport,
    profiles,
    pictures,
    posts,
    interactions,
    graph,
    notifications,
    timelines,
    search,
    keys,
    admin,
    feeds,
    widget,
    oembed,
    discovery,
    instance,
    pages,
    happenings.routes,
  ],
  jobs: (ctx) => [
    ...recovery(ctx).jobs,
    ...emailJobs(ctx),
    ...happenings.jobs(ctx),
    {
      name: 'publishing.delete-expired-sessions',
      cron: '23 * * * *',
      run: async () => {
        await deleteExpiredSessions(ctx)
        await deleteExpiredChanges(ctx)
      },
    },
    {
      name: 'publishing.forget-old-notifications',
      cron: '49 3 * * *',
      run: () => forgetOldNotifications(ctx),
    },
    digestJob(ctx),
    { name: 'publishing.reconcile-accounts', cron: '* * * * *', run: () => reconcileMarkedAccounts(ctx) },
    ...pictureJobs(ctx),
    websubJob(ctx),
  ],
  eventTypes: events.types,
  demo,
  entrance: '/sign-in',
  verify,
}
