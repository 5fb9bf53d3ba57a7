import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from '#platform/type/type.ts'
import { type App, reader } from '../access.ts'
import type { Member, Publishing } from '../context.ts'
import { findBrowserSession, refuseSuspended } from '../sessions/browser.ts'
import { visitOf } from '../sessions/cookie.ts'
import type { Problems } from './fields.ts'
import { form, hasOwnToken, staleForm } from './forms.ts'
import type { Page } from './page.ts'
import { sendPage, submit } from './reply.ts'
import { signInPage } from './sign-in.ts'

type Entered = Record<string, string>
type FormPage = (me: Member, entered: Entered, problems: Problems) => Page | Promise<Page>

/** The forms in which people write, by path. They are shown again, as they were filled in, after the next sign-in. */
export type Drafts = Map<string, FormPage>

/** What was entered, without what belongs to the session that has ended. */
const kept = ({ token: _, ...entered }: Entered) => new URLSearchParams(entered).toString()

export const draftFields = (draft: string): Entered => Object.fromEntries(new URLSearchParams(draft))

type TypedForm = {
  path: string
  body: TSchema
  limit?: 'burst'
  work(me: Member, req: FastifyRequest, reply: FastifyReply): Promise<string>
  page: FormPage
}

/**
 * A form for members in which something is written. Who is signed in is checked only here, where what was written is
 * known and can be kept: in the sign-in form if the session has ended, in the same form if its token is out of date. To
 * sign in again would not help a suspended account, so it is told.
 */
export const typedForm = (
  app: App,
  ctx: Publishing,
  drafts: Drafts,
  { path, body, limit, work, page }: TypedForm,
) => {
  drafts.set(path, page)
  const config = { access: 'page', ...(limit ? { limit } : {}) } as const
  app.post(path, { ...form(body), config }, async (req, reply) => {
    const me = reader(req)
    const entered = req.body as Entered
    if (!me) {
      const session = await findBrowserSession(ctx, visitOf(ctx.config, req))
      if (session?.isSuspended) refuseSuspended()
      reply.code(401).header('cache-control', 'no-store')
      const note = 'You were signed out. Sign in again to continue; what you wrote has been kept.'
      return sendPage(
        req,
        reply,
        signInPage({ draftOf: path, draft: kept(entered), problems: { note, fields: {} } }),
      )
    }
    if (!hasOwnToken(req, me)) {
      reply.code(403)
      return sendPage(req, reply, await page(me, entered, { note: staleForm, fields: {} }))
    }
    return submit(
      req,
      reply,
      () => work(me, req, reply),
      (problems) => page(me, entered, problems),
    )
  })
}
