import { Type } from '#platform/type/type.ts'
import type { App } from '../access.ts'
import { authenticate, register } from '../accounts/accounts.ts'
import { Login, Registration } from '../accounts/schema.ts'
import type { Publishing } from '../context.ts'
import { closeBrowserSession, findBrowserSession, openBrowserSession } from '../sessions/browser.ts'
import { type Visit, visitOf } from '../sessions/cookie.ts'
import { deviceOf } from '../sessions/device.ts'
import { noProblems } from './fields.ts'
import { form, Next, ownPath } from './forms.ts'
import { redirect, sendPage, submit } from './reply.ts'
import { signInPage, signUpPage } from './sign-in.ts'
import { type Drafts, draftFields } from './typed-forms.ts'

const forAll = { access: 'page' } as const
const signingIn = { access: 'page', limit: 'signIn' } as const

const SignInQuery = Type.Object({ next: Next })
const Draft = Type.Optional(Type.String())
const SignInForm = Type.Object({ ...Login.properties, next: Next, draft: Draft, draftOf: Draft })
const SignUpForm = Type.Object({ ...Registration.properties, next: Next })

/** The form that somebody was filling in when the session ended, with what had been entered. */
const resume = async (
  ctx: Publishing,
  drafts: Drafts,
  visit: Visit,
  { draft, draftOf = '' }: Type.Static<typeof SignInForm>,
) => {
  const formPage = drafts.get(draftOf)
  const session = formPage && (await findBrowserSession(ctx, visit))
  if (draft === undefined || !session) return null
  const { principal } = session
  return { principal, page: await formPage(principal, draftFields(draft), noProblems) }
}

/** Signing in, up and out. */
export const sessionRoutes = (app: App, ctx: Publishing, drafts: Drafts) => {
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
        const device = deviceOf(req.headers)
        const cookie = await authenticate(ctx, input, (tx, { id, epoch }) =>
          openBrowserSession(ctx, tx, visitOf(ctx.config, req), { id, epoch, device }),
        )
        reply.header('set-cookie', cookie)
        const visit = { ...visitOf(ctx.config, req), cookies: cookie }
        const resumed = await resume(ctx, drafts, visit, input)
        if (!resumed) return redirect(reply, ownPath(input.next, '/home'))
        req.principal = resumed.principal
        return sendPage(req, reply, resumed.page)
      },
      (problems) => signInPage({ ...input, problems }),
    )
  })

  app.get(
    '/sign-up',
    { schema: { hide: true, querystring: SignInQuery }, config: forAll },
    async (req, reply) => sendPage(req, reply, signUpPage(req.query)),
  )

  app.post('/sign-up', { ...form(SignUpForm), config: signingIn }, (req, reply) => {
    const { next, ...input } = req.body as Type.Static<typeof SignUpForm>
    return submit(
      req,
      reply,
      async () => {
        const device = deviceOf(req.headers)
        const { session: cookie } = await register(ctx, input, (tx, account) =>
          openBrowserSession(ctx, tx, visitOf(ctx.config, req), { ...account, device }),
        )
        reply.header('set-cookie', cookie)
        return redirect(reply, ownPath(next, '/home'))
      },
      (problems) => signUpPage({ ...input, ...(next ? { next } : {}), problems }),
    )
  })

  app.post('/sign-out', { schema: { hide: true }, config: { access: 'member' } }, async (req, reply) => {
    reply.header('set-cookie', await closeBrowserSession(ctx, visitOf(ctx.config, req)))
    return redirect(reply, '/')
  })
}
