import { Type } from 'typebox'
import type { App } from '../access.ts'
import { changePassword, recovery } from '../accounts/passwords.ts'
import { PasswordChange, PasswordReset, PasswordResetRequest } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { openBrowserSession } from '../sessions/browser.ts'
import { form, readerOf, visitOf } from './forms.ts'
import { changedPage, forgotPage, mailedPage, passwordPage, resetPage } from './password.ts'
import { attempt, goTo, show } from './show.ts'

const reading = { access: 'page' } as const
const signingIn = { access: 'page', limit: 'signIn' } as const
const forMembers = { access: 'member' } as const

/** A box that is not ticked is not there. */
const Ticked = Type.Optional(Type.String({ maxLength: 10 }))
const Reset = Type.Object({ ...PasswordReset.properties, revoke_keys: Ticked })
const Change = Type.Object({ ...PasswordChange.properties, revoke_keys: Ticked })

const recovering = (app: App, ctx: Publishing) => {
  app.get('/forgot-password', { schema: { hide: true }, config: reading }, async (req, reply) =>
    show(req, reply, forgotPage()),
  )

  app.post('/forgot-password', { ...form(PasswordResetRequest), config: signingIn }, (req, reply) => {
    const { email } = req.body as Type.Static<typeof PasswordResetRequest>
    return attempt(
      req,
      reply,
      async () => {
        await recovery(ctx).request(email, req.ip)
        return show(req, reply, mailedPage)
      },
      (problem) => forgotPage({ email, problem }),
    )
  })

  const Link = Type.Object({ token: Type.Optional(Type.String({ maxLength: 255 })) })
  app.get(
    '/reset-password',
    { schema: { hide: true, querystring: Link }, config: reading },
    async (req, reply) => {
      const page = show(req, reply, resetPage(req.query))
      reply.header('cache-control', 'no-store')
      return page
    },
  )

  app.post('/reset-password', { ...form(Reset), config: signingIn }, (req, reply) => {
    const { token, password, revoke_keys } = req.body as Type.Static<typeof Reset>
    return attempt(
      req,
      reply,
      async () => {
        await recovery(ctx).reset({ token, password, revokeKeys: revoke_keys !== undefined }, req.ip)
        req.principal = null
        return show(req, reply, changedPage)
      },
      (problem) => resetPage({ token, problem }),
    )
  })
}

const changing = (app: App, ctx: Publishing) => {
  const Done = Type.Object({ changed: Ticked })
  app.get(
    '/settings/password',
    { schema: { hide: true, querystring: Done }, config: forMembers },
    async (req, reply) =>
      show(req, reply, passwordPage(readerOf(req)!, { isChanged: req.query.changed !== undefined })),
  )

  app.post(
    '/settings/password',
    { ...form(Change), config: { ...forMembers, limit: 'signIn' } },
    (req, reply) => {
      const reader = readerOf(req)!
      const { revoke_keys, ...passwords } = req.body as Type.Static<typeof Change>
      return attempt(
        req,
        reply,
        async () => {
          const change = { ...passwords, revoke_keys: revoke_keys !== undefined }
          const cookie = await changePassword(ctx, reader, change, (tx, person) =>
            openBrowserSession(ctx, tx, visitOf(ctx, req), person),
          )
          reply.header('set-cookie', cookie)
          return goTo(reply, '/settings/password?changed=yes')
        },
        (problem) => passwordPage(reader, { problem }),
      )
    },
  )
}

/** How people come by a new password, and how they change the one they have. */
export const passwordPages = (app: App, ctx: Publishing) => {
  recovering(app, ctx)
  changing(app, ctx)
}
