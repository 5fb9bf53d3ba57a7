import { Type } from 'typebox'
import type { App } from '../access.ts'
import { authenticate, register } from '../accounts/accounts.ts'
import { deleteAccount } from '../accounts/deletion.ts'
import { Deletion, Login, Registration } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { closeBrowserSession, openBrowserSession } from '../sessions/browser.ts'
import { closeSession } from '../sessions/sessions.ts'
import { signInPage, signUpPage } from './account.ts'
import { form, Next, ownPath, readerOf, visitOf } from './forms.ts'
import { farewellPage, leavingPage } from './leaving.ts'
import { attempt, goTo, show } from './show.ts'

const signingIn = { access: 'page', limit: 'signIn' } as const
const forMembers = { access: 'member' } as const

const SignIn = Type.Object({ ...Login.properties, next: Next })

const comingAndGoing = (app: App, ctx: Publishing) => {
  app.post('/sign-in', { ...form(SignIn), config: signingIn }, (req, reply) => {
    const input = req.body as Type.Static<typeof SignIn>
    return attempt(
      req,
      reply,
      async () => {
        const cookie = await authenticate(ctx, input, (tx, person) =>
          openBrowserSession(ctx, tx, visitOf(ctx, req), person),
        )
        reply.header('set-cookie', cookie)
        return goTo(reply, ownPath(input.next))
      },
      (problem) => signInPage({ ...input, problem }),
    )
  })

  app.post('/sign-up', { ...form(Registration), config: signingIn }, (req, reply) => {
    const input = req.body as Registration
    return attempt(
      req,
      reply,
      async () => {
        const { user, refreshToken } = await register(ctx, input)
        await closeSession(ctx, refreshToken)
        const person = { id: user.id, epoch: 1 }
        const cookie = await ctx.db.write((q) => openBrowserSession(ctx, q, visitOf(ctx, req), person))
        reply.header('set-cookie', cookie)
        return goTo(reply, '/')
      },
      (problem) => signUpPage({ ...input, problem }),
    )
  })

  app.post('/sign-out', { schema: { hide: true }, config: forMembers }, async (req, reply) => {
    reply.header('set-cookie', await closeBrowserSession(ctx, visitOf(ctx, req)))
    return goTo(reply, '/')
  })
}

const leaving = (app: App, ctx: Publishing) =>
  app.post(
    '/settings/delete',
    { ...form(Deletion), config: { ...forMembers, limit: 'signIn' } },
    (req, reply) => {
      const reader = readerOf(req)!
      return attempt(
        req,
        reply,
        async () => {
          await deleteAccount(ctx, reader, (req.body as Type.Static<typeof Deletion>).password)
          reply.header('set-cookie', await closeBrowserSession(ctx, visitOf(ctx, req)))
          req.principal = null
          return show(req, reply, farewellPage)
        },
        (problem) => leavingPage(reader, problem),
      )
    },
  )

/** How people come, go, and leave for good. */
export const signing = (app: App, ctx: Publishing) => {
  comingAndGoing(app, ctx)
  leaving(app, ctx)
}
