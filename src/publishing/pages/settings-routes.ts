import { invalid } from '#platform/errors.ts'
import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type App, member } from '../access.ts'
import { deleteAccount } from '../accounts/deletion.ts'
import { changeProfile } from '../accounts/profile.ts'
import { Deletion } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { createKey, revokeKey } from '../keys/keys.ts'
import { NewKey } from '../keys/schema.ts'
import { closeBrowserSession } from '../sessions/browser.ts'
import { visitOf } from '../sessions/cookie.ts'
import { form } from './forms.ts'
import { keysPage } from './keys.ts'
import { redirect, sendPage, submit } from './reply.ts'
import { changeFrom, deleteAccountPage, deletedPage, Settings, settingsPage } from './settings.ts'
import { type Drafts, typedForm } from './typed-forms.ts'

const forMembers = { access: 'member' } as const

const profile = (app: App, ctx: Publishing, drafts: Drafts) => {
  app.get('/settings', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    sendPage(req, reply, await settingsPage(ctx, member(req))),
  )

  typedForm(app, ctx, drafts, {
    path: '/settings',
    body: Settings,
    work: async (me, req, reply) => {
      const entered = req.body as Type.Static<typeof Settings>
      await changeProfile(ctx, me, changeFrom(entered))
      return redirect(reply, `/@${me.handle}`)
    },
    page: (me, entered, problems) => settingsPage(ctx, me, { entered, problems }),
  })
}

const KeyForm = Type.Object({
  name: NewKey.properties.name,
  daily_post_limit: Type.Optional(Type.String()),
})

const limitFrom = (text = '100') => {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) invalid('daily_post_limit', 'must be 1 to 1000')
  return limit
}

const keys = (app: App, ctx: Publishing, drafts: Drafts) => {
  app.get('/keys', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    sendPage(req, reply, await keysPage(ctx, member(req))),
  )

  typedForm(app, ctx, drafts, {
    path: '/keys',
    body: KeyForm,
    work: async (me, req, reply) => {
      const { name, daily_post_limit: limit } = req.body as Type.Static<typeof KeyForm>
      // The response itself shows the key: after a redirect nothing could show it any more.
      const created = await createKey(ctx, me, { name, daily_post_limit: limitFrom(limit) })
      reply.code(201)
      return sendPage(req, reply, await keysPage(ctx, me, { created }))
    },
    page: (me, entered, problems) => keysPage(ctx, me, { entered, problems }),
  })

  app.post(
    '/keys/:id/revoke',
    { schema: { hide: true, params: PathId }, config: forMembers },
    async (req, reply) => {
      await revokeKey(ctx, member(req), req.params.id)
      return redirect(reply, '/keys')
    },
  )
}

const deletion = (app: App, ctx: Publishing) => {
  app.get('/settings/delete', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    sendPage(req, reply, deleteAccountPage(member(req))),
  )

  app.post(
    '/settings/delete',
    { ...form(Deletion), config: { ...forMembers, limit: 'signIn' } },
    (req, reply) => {
      const me = member(req)
      return submit(
        req,
        reply,
        async () => {
          await deleteAccount(ctx, me, (req.body as Type.Static<typeof Deletion>).password)
          reply.header('set-cookie', await closeBrowserSession(ctx, visitOf(ctx.config, req)))
          req.principal = null
          return sendPage(req, reply, deletedPage)
        },
        (problems) => deleteAccountPage(me, problems),
      )
    },
  )
}

/** A member's own profile, API keys, and the deletion of the account. */
export const settingsRoutes = (app: App, ctx: Publishing, drafts: Drafts) => {
  profile(app, ctx, drafts)
  keys(app, ctx, drafts)
  deletion(app, ctx)
}
