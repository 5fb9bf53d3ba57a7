import { type TSchema, Type } from 'typebox'
import { type Module, who } from '../access.ts'
import type { Principal } from '../context.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { PageQuery } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import * as rules from './graph.ts'
import { Answered, Follow, Users } from './schema.ts'

const tags = ['Graph']

export const graph: Module = (app, ctx) => {
  const act = (
    call: ['post' | 'delete', string],
    [operationId, summary]: [string, string],
    answer: TSchema,
    run: (me: Principal, handle: string) => Promise<unknown>,
  ) =>
    app[call[0]](
      call[1],
      {
        schema: { operationId, summary, tags, params: Handle, response: { 200: Ok(answer) } },
        config: { access: 'user' },
      },
      async (req) => ok(await run(who(req), (req.params as { handle: string }).handle)) as never,
    )

  const path = '/api/users/:handle'
  const Blocked = Type.Object({ blocked: Type.Boolean() })
  const Muted = Type.Object({ muted: Type.Boolean() })
  act(['post', `${path}/follow`], ['follow', 'Follow an account, or ask to'], Follow, (me, handle) =>
    rules.follow(ctx, me, handle),
  )
  act(['delete', `${path}/follow`], ['unfollow', 'Stop following'], Follow, (me, handle) =>
    rules.unfollow(ctx, me, handle),
  )
  act(['post', `${path}/block`], ['block', 'Block: ends follows both ways'], Blocked, (me, handle) =>
    rules.block(ctx, me, handle),
  )
  act(['delete', `${path}/block`], ['unblock', 'End a block'], Blocked, (me, handle) =>
    rules.unblock(ctx, me, handle),
  )
  act(['post', `${path}/mute`], ['mute', 'Hide from your home timeline'], Muted, (me, handle) =>
    rules.mute(ctx, me, handle, true),
  )
  act(['delete', `${path}/mute`], ['unmute', 'End a mute'], Muted, (me, handle) =>
    rules.mute(ctx, me, handle, false),
  )
  const request = '/api/follow-requests/:handle'
  act(
    ['post', `${request}/accept`],
    ['acceptFollowRequest', 'Let an account follow you'],
    Answered,
    (me, handle) => rules.answerRequest(ctx, me, handle, true),
  )
  act(['post', `${request}/reject`], ['rejectFollowRequest', 'Turn a request down'], Answered, (me, handle) =>
    rules.answerRequest(ctx, me, handle, false),
  )

  const lists = { followers: rules.listFollowers, following: rules.listFollowing }
  for (const [name, list] of Object.entries(lists))
    app.get(
      `${path}/${name}`,
      {
        schema: {
          operationId: name === 'followers' ? 'listFollowers' : 'listFollowing',
          summary: name === 'followers' ? 'Who follows an account' : 'Whom an account follows',
          tags,
          params: Handle,
          querystring: PageQuery,
          response: { 200: OkPage(Users) },
        },
        config: { access: 'reader' },
      },
      async (req) => {
        const { users, total } = await list(ctx, req.params.handle, req.query)
        return okPage({ users }, req.query, total)
      },
    )

  app.get(
    '/api/follow-requests',
    {
      schema: {
        operationId: 'listFollowRequests',
        summary: 'Who waits for your approval',
        tags,
        querystring: PageQuery,
        response: { 200: OkPage(Users) },
      },
      config: { access: 'user' },
    },
    async (req) => {
      const { users, total } = await rules.listRequests(ctx, who(req), req.query)
      return okPage({ users }, req.query, total)
    },
  )
}
