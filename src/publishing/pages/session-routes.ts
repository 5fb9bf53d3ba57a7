import { Type } from 'typebox'
import type { App } from '../access.ts'
import { authenticate, register } from '../accounts/accounts.ts'
import { Login, Registration } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { closeBrowserSession, openBrowserSession } from '../sessions/browser.ts'
import { visitOf } from '../sessions/cookie.ts'
import { closeSession } from '../sessions/sessions.ts'
import { form, Next, ownPath } from './forms.ts'
import { redirect, sendPage, submit } from './reply.ts'
import { signInPage, signUpPage } from './sign-in.ts'

const forAll = { access: 'page' } as const
const signingIn = { access: 'page', limit: 'signIn' } as const

const SignInQuery = Type.Object({ next: Next })
const SignInForm = Type.Object({ ...Login.properties, next: Next })

/** Signing in, up and out. */
export const sessionRoutes = (app: App, ctx: Publishing) => {
  app.get(
    '/sign-in',
    { schema: { hide: true, querystring: SignInQuery }, config: forAll },
    async (req, reply) => sendPage(req, reply, signInPage(req.query)),
  )

  app.post('/sign-in', { ...form(SignInForm), config: signingIn }, (req, reply) => {
    const input = req.body as Type.Static<typeof SignInForm>
    return submit(
      req,
      reply,
      async () => {
        const cookie = await authenticate(ctx, input, (tx, account) =>
          openBrowserSession(ctx, tx, visitOf(ctx.config, req), account),
        )
        reply.header('set-cookie', cookie)
        return redirect(reply, ownPath(input.next))
      },
      (problem) => signInPage({ ...input, problem }),
    )
  })

  app.get('/sign-up', { schema: { hide: true }, config: forAll }, async (req, reply) =>
    sendPage(req, reply, signUpPage({})),
  )

  app.post('/sign-up', { ...form(Registration), config: signingIn }, (req, reply) => {
    const input = req.body as Registration
    return submit(
      req,
      reply,
      async () => {
        const { user, refreshToken } = await register(ctx, input)
        await closeSession(ctx, refreshToken)
        const account = { id: user.id, epoch: 1 }
        const cookie = await ctx.db.write((q) =>
          openBrowserSession(ctx, q, visitOf(ctx.config, req), account),
        )
        reply.header('set-cookie', cookie)
        return redirect(reply, '/')
      },
      (problem) => signUpPage({ ...input, problem }),
    )
  })

  app.post('/sign-out', { schema: { hide: true }, config: { access: 'member' } }, async (req, reply) => {
    reply.header('set-cookie', await closeBrowserSession(ctx, visitOf(ctx.config, req)))
    return redirect(reply, '/')
  })
}
