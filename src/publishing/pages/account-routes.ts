import { scoped } from '#platform/http/scope.ts'
import { Type } from '#platform/type/type.ts'
import { type App, limitExports, member } from '../access.ts'
import { changeEmail, confirmEmail } from '../accounts/email.ts'
import { changeProfile } from '../accounts/profile.ts'
import { EmailChange, EmailConfirmation, OwnChange } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { exportAccount, exportHeaders } from '../export/export.ts'
import { unsubscribe } from '../notifications/digests.ts'
import { accountPage, confirmEmailPage, confirmedPage, unsubscribedPage, unsubscribePage } from './account.ts'
import { form } from './forms.ts'
import { redirect, sendPage, submit } from './reply.ts'

const path = '/settings/account'
const forMembers = { access: 'member' } as const
const Short = Type.Optional(Type.String({ maxLength: 255 }))

const emailRoutes = (app: App, ctx: Publishing) => {
  app.post(
    '/settings/email',
    { ...form(EmailChange), config: { ...forMembers, limit: 'signIn' } },
    (req, reply) => {
      const me = member(req)
      const { email, password } = req.body as EmailChange
      return submit(
        req,
        reply,
        async () => {
          const { unconfirmed_email } = await changeEmail(ctx, me, { email, password })
          return redirect(reply, `${path}?done=${unconfirmed_email === null ? 'email' : 'link'}`)
        },
        (problems) => accountPage(ctx, me, { email, problems }),
      )
    },
  )

  const Link = Type.Object({ token: Short })
  app.get(
    '/confirm-email',
    { schema: { hide: true, querystring: Link }, config: { access: 'page', showsSecret: true } },
    async (req, reply) => {
      const page = sendPage(req, reply, confirmEmailPage(req.query))
      reply.header('cache-control', 'no-store')
      return page
    },
  )

  app.post(
    '/confirm-email',
    { ...form(EmailConfirmation), config: { access: 'page', limit: 'signIn', showsSecret: true } },
    (req, reply) => {
      const { token } = req.body as Type.Static<typeof EmailConfirmation>
      return submit(
        req,
        reply,
        async () => {
          await confirmEmail(ctx, token)
          return sendPage(req, reply, confirmedPage)
        },
        (problems) => confirmEmailPage({ token, problems }),
      )
    },
  )
}

const Preferences = Type.Object({
  language: Type.Optional(Type.String({ maxLength: 35 })),
  notification_mails: OwnChange.properties.notification_mails,
})

const preferenceRoutes = (app: App, ctx: Publishing) =>
  app.post(path, { ...form(Preferences), config: forMembers }, (req, reply) => {
    const me = member(req)
    const { language, ...mails } = req.body as Type.Static<typeof Preferences>
    return submit(
      req,
      reply,
      async () => {
        await changeProfile(ctx, me, { ...mails, language: language || null })
        return redirect(reply, `${path}?done=saved`)
      },
      (problems) => accountPage(ctx, me, { problems }),
    )
  })

/** Mail programs unsubscribe with one POST, without asking: their forms may be of either kind, and have no session. */
const unsubscribeRoutes = (app: App, ctx: Publishing) =>
  scoped(app, (scope) => {
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_, __, done) => done(null, {}))
    const Link = Type.Object({ token: Type.String({ maxLength: 100, default: '' }) })
    scope.get(
      '/unsubscribe',
      { schema: { hide: true, querystring: Link }, config: { access: 'page' } },
      async (req, reply) => {
        const page = sendPage(req, reply, unsubscribePage(req.query.token))
        reply.header('cache-control', 'no-store')
        return page
      },
    )
    scope.post(
      '/unsubscribe',
      { schema: { hide: true, querystring: Link }, config: { access: 'page', limit: 'sessions' } },
      (req, reply) =>
        submit(
          req,
          reply,
          async () => {
            await unsubscribe(ctx, req.query.token)
            return sendPage(req, reply, unsubscribedPage)
          },
          (problems) => unsubscribePage(req.query.token, problems),
        ),
    )
  })

/** A member's account besides the profile. */
export const accountRoutes = (app: App, ctx: Publishing) => {
  app.get(
    path,
    { schema: { hide: true, querystring: Type.Object({ done: Short }) }, config: forMembers },
    async (req, reply) => sendPage(req, reply, await accountPage(ctx, member(req), req.query)),
  )
  preferenceRoutes(app, ctx)
  app.get('/settings/export', { schema: { hide: true }, config: forMembers }, async (req, reply) => {
    const me = member(req)
    await limitExports(ctx, me, reply)
    reply.headers(exportHeaders(me.handle))
    return exportAccount(ctx, me)
  })
  emailRoutes(app, ctx)
  unsubscribeRoutes(app, ctx)
}
