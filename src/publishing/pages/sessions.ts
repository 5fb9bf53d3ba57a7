import { PathId } from '#platform/http/schema.ts'
import { type Html, html } from '#platform/web/html.ts'
import { type App, member } from '../access.ts'
import type { Member, Publishing } from '../context.ts'
import type { Session } from '../sessions/schema.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions/sessions.ts'
import type { Page } from './page.ts'
import { ownTabs } from './parts.ts'
import { redirect, sendPage } from './reply.ts'
import { time } from './time.ts'

const path = '/settings/sessions'
const names = { browser: 'A browser', program: 'A program' }

const tokenOf = ({ formToken }: Member) => html`<input type="hidden" name="token" value="${formToken}">`

const ending = ({ id }: Session, name: string, reader: Member) =>
  html`<form method="post" action="${path}/${id}/end">${tokenOf(reader)}<button aria-label="End the session: ${name}">End</button></form>`

const row = (session: Session, reader: Member, now: Date): Html => {
  const { kind, device, created_at, last_used_at, is_current } = session
  const name = device ?? names[kind]
  return html`<tr><th scope="row">${name}${kind === 'program' && device && html` <span class="gone">with tokens</span>`}<br><small>Signed in ${time(created_at, now)}</small></th><td>${is_current ? 'This one' : time(last_used_at, now)}</td><td class="number">${!is_current && ending(session, name, reader)}</td></tr>`
}

const sessionsPage = async (ctx: Publishing, reader: Member): Promise<Page> => {
  const sessions = await listSessions(ctx, reader)
  const now = ctx.clock.now()
  return {
    title: 'Sessions',
    main: html`${ownTabs(path)}<h1>Sessions</h1>
<p class="lead">Where you are signed in. End what you do not recognize, and then <a href="/settings/password">change your password</a>.</p>
<div class="table"><table><thead><tr><th scope="col">Device</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead><tbody>${sessions.map((session) => row(session, reader, now))}</tbody></table></div>
${sessions.length > 1 && html`<form class="alone" method="post" action="${path}/end-others">${tokenOf(reader)}<button class="danger">End all other sessions</button></form>`}`,
  }
}

/** Where a member is signed in. */
export const ownSessionRoutes = (app: App, ctx: Publishing) => {
  const config = { access: 'member' } as const
  app.get(path, { schema: { hide: true }, config }, async (req, reply) =>
    sendPage(req, reply, await sessionsPage(ctx, member(req))),
  )
  app.post(`${path}/:id/end`, { schema: { hide: true, params: PathId }, config }, async (req, reply) => {
    await endSession(ctx, member(req), req.params.id)
    return redirect(reply, path)
  })
  app.post(`${path}/end-others`, { schema: { hide: true }, config }, async (req, reply) => {
    await endOtherSessions(ctx, member(req))
    return redirect(reply, path)
  })
}
