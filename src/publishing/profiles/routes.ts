import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import type { Publishing } from '../context.ts'
import { Ok, ok } from '../envelope.ts'
import { cachedJson } from '../responses/cached-response.ts'
import { sendCached } from '../responses/send.ts'
import { changeProfile, ownProfile, readProfile } from './profiles.ts'
import { Handle, Profile, ProfileChange } from './schema.ts'

const tags = ['Profiles']
const oneProfile = '/api/users/:handle'

export const profiles: Module<Publishing> = (app, ctx) => {
  app.get(
    '/api/users/me',
    {
      schema: {
        operationId: 'getOwnProfile',
        summary: 'Your own profile',
        tags,
        response: { 200: Ok(Profile) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await ownProfile(ctx, who(req))),
  )

  app.patch(
    '/api/users/me',
    {
      schema: {
        operationId: 'changeProfile',
        summary: 'Change your profile',
        tags,
        body: ProfileChange,
        response: { 200: Ok(Profile) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await changeProfile(ctx, who(req), req.body)),
  )

  app.get(
    oneProfile,
    {
      schema: {
        operationId: 'getProfile',
        summary: 'A public profile',
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
        const shown = { people: [profile.id], tallies: [profile.id] }
        return { value: cachedJson(oneProfile, ok(profile)), shown }
      })
    },
  )
}
