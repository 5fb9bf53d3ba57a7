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
        summary: 'Follow an account',
        description:
          'Follows an account, or asks to follow it if it is protected: `status` is then `requested`. ' +
          'Following again changes nothing. Following yourself is refused with 422, and a block between ' +
          'the two with 403.',
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
        summary: 'Unfollow an account',
        description:
          'Stops following an account, or withdraws a request to follow it. Without either nothing ' +
          'changes.',
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
        summary: 'Block an account',
        description:
          'Blocks an account: follows end both ways, and neither can follow, like, repost, quote or reply ' +
          'to the other. Blocking again changes nothing.',
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
        summary: 'Unblock an account',
        description: 'Ends a block. Follows that the block ended do not come back by themselves.',
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
        summary: 'Mute an account',
        description:
          "Hides an account's posts and reposts from your home timeline, and what it does from your " +
          'notifications. The other account does not learn of it.',
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
        summary: 'Unmute an account',
        description:
          'Shows a muted account in your home timeline and your notifications again. Without a mute nothing ' +
          'changes.',
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
        summary: 'Accept a follow request',
        description:
          'Lets an account that asked for it follow you. An account without a request returns 404.',
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
        summary: 'Reject a follow request',
        description:
          "Rejects an account's request to follow you. It may ask again. An account without a request " +
          'returns 404.',
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
        summary: 'List followers',
        description:
          'Returns the profiles of the accounts that follow an account, by pages of 20 unless `limit` says ' +
          'otherwise.',
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
        summary: 'List accounts followed',
        description:
          'Returns the profiles of the accounts that an account follows, by pages of 20 unless `limit` ' +
          'says otherwise.',
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
        summary: 'List follow requests',
        description:
          'Returns the accounts that wait for your approval to follow you. Only protected accounts receive ' +
          'requests.',
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
