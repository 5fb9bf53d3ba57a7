import { createTokens } from '#platform/auth/tokens.ts'
import { signalledCache } from '#platform/cache.ts'
import type { Service } from '#platform/http/service.ts'
import { guard, who } from './access.ts'
import { accounts } from './accounts/routes.ts'
import { findPerson } from './accounts/store.ts'
import type { Claims, Person, Publishing } from './context.ts'
import { demo } from './demo.ts'
import { failure } from './envelope.ts'
import { profiles } from './profiles/routes.ts'
import { accessLifetimeSeconds } from './sessions/sessions.ts'
import { deleteExpired } from './sessions/store.ts'

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
    people: signalledCache<Person | undefined>(platform.signals, {
      topic: 'publishing.user',
      max: 100_000,
      load: (id) => findPerson(platform.db.sql, Number(id)),
    }),
    loadPerson: findPerson,
  }),
  guard,
  repeatScope: (req) => String(who(req).userId),
  errorBody: failure,
  statuses: { invalid: 422, mediaType: 415, keyReused: 422 },
  security: (access) =>
    access === 'public' ? [] : access === 'reader' ? [{}, { bearer: [] }] : [{ bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token from sign-in',
    },
  },
  modules: [accounts, profiles],
  jobs: (ctx) => [
    {
      name: 'publishing.forget-expired-sessions',
      cron: '23 * * * *',
      run: async () => void (await deleteExpired(ctx.db.sql, ctx.clock.now())),
    },
  ],
  commands: () => [],
  demo,
  verify: async () => [],
}
