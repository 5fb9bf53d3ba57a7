import { type Module, who } from '../access.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { PageQuery } from '../paging.ts'
import { Handle, Users } from '../profiles/schema.ts'
import { acceptRequest, block, follow, mute, rejectRequest, unblock, unfollow, unmute } from './graph.ts'
import { listFollowers, listFollowing, listRequests } from './lists.ts'
import { Answered, Blocked, Follow, Muted } from './schema.ts'

const tags = ['Graph']
const config = { access: 'user' } as const

export const graph: Module = (app, ctx) => {
  app.post(
    '/api/users/:handle/follow',
    {
      schema: {
        operationId: 'follow',
        summary: 'Follow an account, or ask to',
        tags,
        params: Handle,
        response: { 200: Ok(Follow) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await follow(ctx, who(req), req.params.handle)),
  )

  app.delete(
    '/api/users/:handle/follow',
    {
      schema: {
        operationId: 'unfollow',
        summary: 'Stop following',
        tags,
        params: Handle,
        response: { 200: Ok(Follow) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await unfollow(ctx, who(req), req.params.handle)),
  )

  app.post(
    '/api/users/:handle/block',
    {
      schema: {
        operationId: 'block',
        summary: 'Block: ends follows both ways',
        tags,
        params: Handle,
        response: { 200: Ok(Blocked) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await block(ctx, who(req), req.params.handle)),
  )

  app.delete(
    '/api/users/:handle/block',
    {
      schema: {
        operationId: 'unblock',
        summary: 'End a block',
        tags,
        params: Handle,
        response: { 200: Ok(Blocked) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await unblock(ctx, who(req), req.params.handle)),
  )

  app.post(
    '/api/users/:handle/mute',
    {
      schema: {
        operationId: 'mute',
        summary: 'Hide from your home timeline',
        tags,
        params: Handle,
        response: { 200: Ok(Muted) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await mute(ctx, who(req), req.params.handle)),
  )

  app.delete(
    '/api/users/:handle/mute',
    {
      schema: {
        operationId: 'unmute',
        summary: 'End a mute',
        tags,
        params: Handle,
        response: { 200: Ok(Muted) },
      },
      config: { ...config, refuses: [422] },
    },
    async (req) => ok(await unmute(ctx, who(req), req.params.handle)),
  )

  app.post(
    '/api/follow-requests/:handle/accept',
    {
      schema: {
        operationId: 'acceptFollowRequest',
        summary: 'Let an account follow you',
        tags,
        params: Handle,
        response: { 200: Ok(Answered) },
      },
      config,
    },
    async (req) => ok(await acceptRequest(ctx, who(req), req.params.handle)),
  )

  app.post(
    '/api/follow-requests/:handle/reject',
    {
      schema: {
        operationId: 'rejectFollowRequest',
        summary: 'Turn a request down',
        tags,
        params: Handle,
        response: { 200: Ok(Answered) },
      },
      config,
    },
    async (req) => ok(await rejectRequest(ctx, who(req), req.params.handle)),
  )

  app.get(
    '/api/users/:handle/followers',
    {
      schema: {
        operationId: 'listFollowers',
        summary: 'Who follows an account',
        tags,
        params: Handle,
        querystring: PageQuery,
        response: { 200: OkPage(Users) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { users, total } = await listFollowers(ctx, req.params.handle, req.query)
      return okPage({ users }, req.query, total)
    },
  )

  app.get(
    '/api/users/:handle/following',
    {
      schema: {
        operationId: 'listFollowing',
        summary: 'Whom an account follows',
        tags,
        params: Handle,
        querystring: PageQuery,
        response: { 200: OkPage(Users) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { users, total } = await listFollowing(ctx, req.params.handle, req.query)
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
      config,
    },
    async (req) => {
      const { users, total } = await listRequests(ctx, who(req), req.query)
      return okPage({ users }, req.query, total)
    },
  )
}
