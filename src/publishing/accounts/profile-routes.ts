import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { changeProfile, readOwn } from './profile.ts'
import { OwnChange, OwnProfile } from './schema.ts'

const tags = ['Profiles']

export const profileRoutes: Module = (app, ctx) => {
  app.get(
    '/api/users/me',
    {
      schema: {
        operationId: 'getOwnProfile',
        summary: 'Get your profile',
        description:
          'Returns the profile of the account that the token belongs to, with its counts of followers, ' +
          'accounts followed and posts, and the address of the account, which nobody else is shown.',
        tags,
        response: { 200: Ok(OwnProfile) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await readOwn(ctx, who(req))),
  )

  app.patch(
    '/api/users/me',
    {
      schema: {
        operationId: 'changeProfile',
        summary: 'Update your profile',
        description:
          'Changes the fields that are given and leaves the others as they are; null clears an optional ' +
          'one. With `is_protected` set, only followers whom you approve see your posts. ' +
          '`notification_mails` is refused with 422 on a server that sends no mail. At most 300 changes a minute for each account.',
        tags,
        body: OwnChange,
        response: { 200: Ok(OwnProfile) },
      },
      config: { access: 'user', refuses: [409] },
    },
    async (req) => ok(await changeProfile(ctx, who(req), req.body)),
  )
}
