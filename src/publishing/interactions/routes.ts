import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import type { Module } from '#platform/http/service.ts'
import { viewer, who } from '../access.ts'
import type { Publishing } from '../context.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { Users } from '../graph/schema.ts'
import { PageQuery } from '../paging.ts'
import { Post, Posts } from '../posts/schema.ts'
import * as rules from './interactions.ts'

const tags = ['Interactions']
const Liked = Type.Object({ liked: Type.Boolean(), like_count: Type.Integer() })
const Reposted = Ok(Type.Object({ post: Post }))
const Unreposted = Type.Object({ reposted: Type.Boolean(), repost_count: Type.Integer() })

export const interactions: Module<Publishing> = (app, ctx) => {
  app.post(
    '/api/posts/:id/like',
    {
      schema: {
        operationId: 'likePost',
        summary: 'Like a post',
        tags,
        params: PathId,
        response: { 200: Ok(Liked) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await rules.setLiked(ctx, who(req), req.params.id, true)),
  )

  app.delete(
    '/api/posts/:id/like',
    {
      schema: {
        operationId: 'unlikePost',
        summary: 'Take a like back',
        tags,
        params: PathId,
        response: { 200: Ok(Liked) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await rules.setLiked(ctx, who(req), req.params.id, false)),
  )

  app.post(
    '/api/posts/:id/repost',
    {
      schema: {
        operationId: 'repost',
        summary: 'Repeat a post to your followers; again answers 200 with the same repost',
        tags,
        params: PathId,
        response: { 200: Reposted, 201: Reposted },
      },
      config: { access: 'user', idempotent: true },
    },
    async (req, reply) => {
      const { post, created } = await rules.repost(ctx, who(req), req.params.id)
      reply.code(created ? 201 : 200)
      return ok({ post })
    },
  )

  app.delete(
    '/api/posts/:id/repost',
    {
      schema: {
        operationId: 'unrepost',
        summary: 'Take a repost back',
        tags,
        params: PathId,
        response: { 200: Ok(Unreposted) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await rules.unrepost(ctx, who(req), req.params.id)),
  )

  const userLists = {
    likes: { operationId: 'listLikes', summary: 'Who likes a post', list: rules.listLikers },
    reposts: { operationId: 'listReposts', summary: 'Who reposted a post', list: rules.listReposters },
  }
  for (const [name, { list, ...about }] of Object.entries(userLists))
    app.get(
      `/api/posts/:id/${name}`,
      {
        schema: {
          ...about,
          tags,
          params: PathId,
          querystring: PageQuery,
          response: { 200: OkPage(Users) },
        },
        config: { access: 'reader' },
      },
      async (req) => {
        const { users, total } = await list(ctx, viewer(req), req.params.id, req.query)
        return okPage({ users }, req.query, total)
      },
    )

  const postLists = {
    replies: { operationId: 'listReplies', summary: 'Direct replies, oldest first', list: rules.listReplies },
    quotes: { operationId: 'listQuotes', summary: 'Quotes, newest first', list: rules.listQuotes },
  }
  for (const [name, { list, ...about }] of Object.entries(postLists))
    app.get(
      `/api/posts/:id/${name}`,
      {
        schema: {
          ...about,
          tags,
          params: PathId,
          querystring: PageQuery,
          response: { 200: OkPage(Posts) },
        },
        config: { access: 'reader' },
      },
      async (req) => {
        const { posts, total } = await list(ctx, viewer(req), req.params.id, req.query)
        return okPage({ posts }, req.query, total)
      },
    )
}
