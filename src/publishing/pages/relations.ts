import { Type } from 'typebox'
import { OneOf } from '#platform/http/schema.ts'
import type { App } from '../access.ts'
import type { Publishing } from '../context.ts'
import { answerRequest, block, follow, mute, unblock, unfollow } from '../graph/graph.ts'
import { PageQuery } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import { Next, ownPath, readerOf } from './forms.ts'
import type { Reader } from './page.ts'
import { circlePage, hiddenPage, requestsPage } from './people.ts'
import { goTo, show } from './show.ts'

type Deed = (ctx: Publishing, me: NonNullable<Reader>, handle: string) => Promise<unknown>

const deeds = {
  follow,
  unfollow,
  block,
  unblock,
  mute: (ctx, me, handle) => mute(ctx, me, handle, true),
  unmute: (ctx, me, handle) => mute(ctx, me, handle, false),
} satisfies Record<string, Deed>

const forMembers = { access: 'member' } as const
const Chosen = Type.Object({ action: OneOf(Object.keys(deeds) as (keyof typeof deeds)[]), next: Next })
const Answer = Type.Object({ action: OneOf(['accept', 'reject']) })

const lists = (app: App, ctx: Publishing) => {
  for (const which of ['followers', 'following'] as const)
    app.get(
      `/@:handle/${which}`,
      { schema: { hide: true, params: Handle, querystring: PageQuery }, config: { access: 'page' } },
      async (req, reply) =>
        show(req, reply, await circlePage(ctx, readerOf(req), req.params.handle, which, req.query)),
    )
  for (const which of ['blocked', 'muted'] as const)
    app.get(
      `/${which}`,
      { schema: { hide: true, querystring: PageQuery }, config: forMembers },
      async (req, reply) => show(req, reply, await hiddenPage(ctx, readerOf(req)!, which, req.query)),
    )
  app.get(
    '/requests',
    { schema: { hide: true, querystring: PageQuery }, config: forMembers },
    async (req, reply) => show(req, reply, await requestsPage(ctx, readerOf(req)!, req.query)),
  )
}

/** Pages about who follows, blocks and mutes whom, and the buttons that change it. */
export const relations = (app: App, ctx: Publishing) => {
  lists(app, ctx)
  app.post(
    '/@:handle',
    { schema: { hide: true, params: Handle, body: Chosen }, config: forMembers },
    async (req, reply) => {
      const { handle } = req.params
      await deeds[req.body.action](ctx, readerOf(req)!, handle)
      return goTo(reply, req.body.next === undefined ? `/@${handle}` : ownPath(req.body.next))
    },
  )
  app.post(
    '/requests/:handle',
    { schema: { hide: true, params: Handle, body: Answer }, config: forMembers },
    async (req, reply) => {
      await answerRequest(ctx, readerOf(req)!, req.params.handle, req.body.action === 'accept')
      return goTo(reply, '/requests')
    },
  )
}
