import type { Module } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { sendDrawn, wholeJson } from '../whole.ts'
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
      return sendDrawn(ctx, req, reply, async () => {
        const profile = await readProfile(ctx, handle)
        const shown = { people: [profile.id], tallies: [profile.id] }
        return { value: wholeJson(oneProfile, ok(profile)), shown }
      })
    },
  )
}
