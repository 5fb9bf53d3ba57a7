import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { readOwnProfile } from '../profiles/profiles.ts'
import { Profile, ProfileChange } from '../profiles/schema.ts'
import { changeProfile } from './profile.ts'

const tags = ['Profiles']

export const profileRoutes: Module = (app, ctx) => {
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
    async (req) => ok(await readOwnProfile(ctx, who(req))),
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
      config: { access: 'user', refuses: [409] },
    },
    async (req) => ok(await changeProfile(ctx, who(req), req.body)),
  )
}
