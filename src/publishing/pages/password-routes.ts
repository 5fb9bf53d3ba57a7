import { linkKeeper } from '#platform/instance/link-keeper.ts'
import { Type } from '#platform/type/type.ts'
import { type App, member } from '../access.ts'
import { changePassword, recovery } from '../accounts/passwords.ts'
import { PasswordChange, PasswordReset, PasswordResetRequest } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { openBrowserSession } from '../sessions/browser.ts'
import { visitOf } from '../sessions/cookie.ts'
import { deviceOf } from '../sessions/device.ts'
import { form } from './forms.ts'
import { askedPage, changedPage, forgotPage, passwordPage, resetPage } from './password.ts'
import { redirect, sendPage, submit } from './reply.ts'

const reading = { access: 'page' } as const
const signingIn = { access: 'page', limit: 'signIn' } as const
const forMembers = { access: 'member' } as const

/** Browsers send nothing for a checkbox that is not checked. */
const Checkbox = Type.Optional(Type.String({ maxLength: 10 }))
const Reset = Type.Object({ ...PasswordReset.properties, revoke_keys: Checkbox })
const Change = Type.Object({ ...PasswordChange.properties, revoke_keys: Checkbox })

const recoveryRoutes = (app: App, ctx: Publishing) => {
  app.get('/forgot-password', { schema: { hide: true }, config: reading }, async (req, reply) =>
    sendPage(req, reply, forgotPage(linkKeeper(ctx))),
  )

  app.post('/forgot-password', { ...form(PasswordResetRequest), config: signingIn }, (req, reply) => {
    const { email } = req.body as Type.Static<typeof PasswordResetRequest>
    return submit(
      req,
      reply,
      async () => {
        await recovery(ctx).request(email, req.ip)
        return sendPage(req, reply, askedPage(linkKeeper(ctx)))
      },
      (problems) => forgotPage(linkKeeper(ctx), { email, problems }),
    )
  })

  const Link = Type.Object({ token: Type.Optional(Type.String({ maxLength: 255 })) })
  app.get(
    '/reset-password',
    { schema: { hide: true, querystring: Link }, config: { ...reading, showsSecret: true } },
    async (req, reply) => {
      const page = sendPage(req, reply, resetPage(req.query))
      reply.header('cache-control', 'no-store')
      return page
    },
  )

  app.post(
    '/reset-password',
    { ...form(Reset), config: { ...signingIn, showsSecret: true } },
    (req, reply) => {
      const { token, password, revoke_keys } = req.body as Type.Static<typeof Reset>
      return submit(
        req,
        reply,
        async () => {
          await recovery(ctx).reset({ token, password, revokeKeys: revoke_keys !== undefined }, req.ip)
          req.principal = null
          return sendPage(req, reply, changedPage)
        },
        (problems) => resetPage({ token, problems }),
      )
    },
  )
}

const changeRoutes = (app: App, ctx: Publishing) => {
  const Done = Type.Object({ changed: Checkbox })
  app.get(
    '/settings/password',
    { schema: { hide: true, querystring: Done }, config: forMembers },
    async (req, reply) =>
      sendPage(req, reply, passwordPage(member(req), { isChanged: req.query.changed !== undefined })),
  )

  app.post(
    '/settings/password',
    { ...form(Change), config: { ...forMembers, limit: 'signIn' } },
    (req, reply) => {
      const me = member(req)
      const { revoke_keys, ...passwords } = req.body as Type.Static<typeof Change>
      return submit(
        req,
        reply,
        async () => {
          const change = { ...passwords, revoke_keys: revoke_keys !== undefined }
          const cookie = await changePassword(ctx, me, change, (tx, account) =>
            openBrowserSession(ctx, tx, visitOf(ctx.config, req), {
              ...account,
              device: deviceOf(req.headers),
            }),
          )
          reply.header('set-cookie', cookie)
          return redirect(reply, '/settings/password?changed=yes')
        },
        (problems) => passwordPage(me, { problems }),
      )
    },
  )
}

/** Recovering a forgotten password, and changing it. */
export const passwordRoutes = (app: App, ctx: Publishing) => {
  recoveryRoutes(app, ctx)
  changeRoutes(app, ctx)
}
