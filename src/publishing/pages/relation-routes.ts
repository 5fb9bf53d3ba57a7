import { OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type App, member, reader } from '../access.ts'
import type { Publishing } from '../context.ts'
import {
  acceptRequest,
  block,
  follow,
  mute,
  rejectRequest,
  unblock,
  unfollow,
  unmute,
} from '../graph/graph.ts'
import { PageQuery } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import { followButton } from './follow-buttons.ts'
import { Next, ownPath } from './forms.ts'
import { profileHeader } from './profile.ts'
import { partWanted, redirect, sendPage, sendPart } from './reply.ts'
import { followsPage, hiddenUsersPage, requestsPage } from './user-lists.ts'

const forMembers = { access: 'member' } as const

const actions = { follow, unfollow, block, unblock, mute, unmute }
const ActionForm = Type.Object({
  action: OneOf(Object.keys(actions) as (keyof typeof actions)[]),
  next: Next,
})

const requestActions = { accept: acceptRequest, reject: rejectRequest }
const RequestForm = Type.Object({ action: OneOf(['accept', 'reject']), next: Next })

const lists = (app: App, ctx: Publishing) => {
  for (const which of ['followers', 'following'] as const)
    app.get(
      `/@:handle/${which}`,
      { schema: { hide: true, params: Handle, querystring: PageQuery }, config: { access: 'page' } },
      async (req, reply) => {
        const request = { reader: reader(req), query: req.query }
        return sendPage(req, reply, await followsPage(ctx, req.params.handle, which, request))
      },
    )
  for (const which of ['blocked', 'muted'] as const)
    app.get(
      `/${which}`,
      { schema: { hide: true, querystring: PageQuery }, config: forMembers },
      async (req, reply) => sendPage(req, reply, await hiddenUsersPage(ctx, member(req), which, req.query)),
    )
  app.get(
    '/requests',
    { schema: { hide: true, querystring: PageQuery }, config: forMembers },
    async (req, reply) => sendPage(req, reply, await requestsPage(ctx, member(req), req.query)),
  )
}

/** Pages about who follows, blocks and mutes whom, and the buttons that change it. */
export const relationRoutes = (app: App, ctx: Publishing) => {
  lists(app, ctx)
  app.post(
    '/@:handle',
    { schema: { hide: true, params: Handle, body: ActionForm }, config: forMembers },
    async (req, reply) => {
      const { handle } = req.params
      const { action, next } = req.body
      const me = member(req)
      const done = await actions[action](ctx, me, handle)
      const part = partWanted(req)
      if (part === '.profile') return sendPart(reply, await profileHeader(ctx, me, handle))
      if (part === '.choice')
        return sendPart(
          reply,
          followButton(me, ownPath(next), handle, 'status' in done ? done.status : 'none'),
        )
      return redirect(reply, next === undefined ? `/@${handle}` : ownPath(next))
    },
  )
  app.post(
    '/requests/:handle',
    { schema: { hide: true, params: Handle, body: RequestForm }, config: forMembers },
    async (req, reply) => {
      await requestActions[req.body.action](ctx, member(req), req.params.handle)
      return redirect(reply, ownPath(req.body.next, '/requests'))
    },
  )
}
