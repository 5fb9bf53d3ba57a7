import type { Module } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { cachedJson } from '../responses/cached-response.ts'
import { cachingOf, sendCached } from '../responses/send.ts'
import { readProfile } from './profiles.ts'
import { Handle, Profile } from './schema.ts'

const tags = ['Profiles']
const oneProfile = '/api/users/:handle'

export const profiles: Module = (app, ctx) => {
  app.get(
    oneProfile,
    {
      schema: {
        operationId: 'getProfile',
        summary: 'Get a profile',
        description:
          'Returns the public profile of an account. Protected accounts have a public profile too; a ' +
          'suspended account returns 403. At most 500 public reads from one address in 15 minutes.',
        tags,
        params: Handle,
        response: { 200: Ok(Profile) },
      },
      config: { access: 'reader' },
    },
    async (req, reply) => {
      const { handle } = req.params
      if (req.principal !== null) return ok(await readProfile(ctx, handle))
      return sendCached(ctx, req, reply, async () => {
        const profile = await readProfile(ctx, handle)
        const shown = { accounts: [profile.id], counters: [profile.id] }
        return { value: cachedJson(oneProfile, ok(profile), cachingOf(ctx.config, req)), shown }
      })
    },
  )
}
