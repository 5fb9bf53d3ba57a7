import { passwordCommand } from '#platform/auth/recovery-command.ts'
import { createTokens } from '#platform/auth/tokens.ts'
import type { Service } from '#platform/http/service.ts'
import { guard, who } from './access.ts'
import { recovery } from './accounts/passwords.ts'
import { accounts } from './accounts/routes.ts'
import { adminCommands } from './admin/decisions.ts'
import { admin } from './admin/routes.ts'
import type { Claims, Publishing } from './context.ts'
import { demo } from './demo.ts'
import { failure } from './envelope.ts'
import { feeds } from './feeds/routes.ts'
import { graph } from './graph/routes.ts'
import { interactions } from './interactions/routes.ts'
import { keys } from './keys/routes.ts'
import { createMemory } from './memory.ts'
import { oembed } from './oembed/routes.ts'
import { errorPage } from './pages/errors.ts'
import { pages } from './pages/routes.ts'
import { openPosting } from './posts/posts.ts'
import { posts } from './posts/routes.ts'
import { settleAll } from './profiles/profiles.ts'
import { profiles } from './profiles/routes.ts'
import { createResponseCache } from './responses/cache.ts'
import { fastResponses } from './responses/fast-path.ts'
import { search } from './search/routes.ts'
import { deleteExpiredSessions } from './sessions/browser-store.ts'
import { accessLifetimeSeconds } from './sessions/sessions.ts'
import { deleteExpired } from './sessions/store.ts'
import { spelling } from './spelling.ts'
import { newestPosts } from './timelines/newest.ts'
import { timelines } from './timelines/routes.ts'
import { verify } from './verify.ts'
import { widget } from './widget/routes.ts'

/** The short-message publishing service: its table of contents. */
export const publishing: Service<Publishing> = {
  name: 'publishing',
  title: 'Trivet publishing',
  description: [
    'Short messages with public reads, and posting by script.',
    'Every JSON answer is an envelope: `success`, and `data` or `message`.',
    'Sign in for a bearer token (15 minutes) and a refresh token (30 days, each works once).',
  ].join('\n\n'),
  migrations: { schema: 'publishing', folder: new URL('./migrations/', import.meta.url) },
  context: (platform) => ({
    ...platform,
    tokens: createTokens<Claims>({
      key: platform.secrets.key('publishing.tokens'),
      audience: 'publishing',
      lifetimeSeconds: accessLifetimeSeconds,
      clock: platform.clock,
    }),
    memory: createMemory(platform),
    responses: createResponseCache(platform.signals),
    newest: newestPosts(platform),
    post: openPosting(platform),
  }),
  guard,
  fastPath: fastResponses,
  repeatScope: (req) => (who(req).keyId === undefined ? `user:${who(req).userId}` : `key:${who(req).keyId}`),
  errorBody: failure,
  errorPage,
  statuses: { invalid: 422, mediaType: 415, keyReused: 422 },
  security: (access) =>
    access === 'public' || access === 'page'
      ? []
      : access === 'reader'
        ? [{}, { bearer: [] }]
        : access === 'poster'
          ? [{ apiKey: [] }, { bearer: [] }]
          : [{ bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token from sign-in',
    },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A developer key, for posting' },
  },
  modules: [
    spelling,
    accounts,
    profiles,
    posts,
    interactions,
    graph,
    timelines,
    search,
    keys,
    admin,
    feeds,
    widget,
    oembed,
    pages,
  ],
  jobs: (ctx) => [
    ...recovery(ctx).jobs,
    {
      name: 'publishing.forget-expired-sessions',
      cron: '23 * * * *',
      run: async () => {
        await deleteExpired(ctx.db.sql, ctx.clock.now())
        await deleteExpiredSessions(ctx.db.sql, ctx.clock.now())
      },
    },
    { name: 'publishing.settle-accounts', cron: '* * * * *', run: () => settleAll(ctx) },
  ],
  commands: (operate) => [...adminCommands(operate), passwordCommand('publishing', operate, recovery)],
  demo,
  verify,
}
