import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, viewer, who } from '../access.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { PageQuery } from '../paging.ts'
import { repost, unrepost } from '../posts/posts.ts'
import { Post, Posts } from '../posts/schema.ts'
import { Users } from '../profiles/schema.ts'
import { like, unlike } from './likes.ts'
import { listLikers, listQuotes, listReplies, listReposters } from './lists.ts'

const tags = ['Interactions']
const Liked = Type.Object({ liked: Type.Boolean(), like_count: Type.Integer() })
const Reposted = Ok(Type.Object({ post: Post }))
const Unreposted = Type.Object({ reposted: Type.Boolean(), repost_count: Type.Integer() })

export const interactions: Module = (app, ctx) => {
  app.post(
    '/api/posts/:id/like',
    {
      schema: {
        operationId: 'likePost',
        summary: 'Like a post',
        description:
          'Adds your like to a post and returns its new count. Liking it again changes nothing. Between ' +
          'accounts of which one has blocked the other it is refused with 403.',
        tags,
        params: PathId,
        response: { 200: Ok(Liked) },
      },
      config: { access: 'user', refuses: [422] },
    },
    async (req) => ok(await like(ctx, who(req), req.params.id)),
  )

  app.delete(
    '/api/posts/:id/like',
    {
      schema: {
        operationId: 'unlikePost',
        summary: 'Remove a like',
        description:
          'Removes your like from a post and returns its new count. Without a like nothing changes.',
        tags,
        params: PathId,
        response: { 200: Ok(Liked) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await unlike(ctx, who(req), req.params.id)),
  )

  app.delete(
    '/api/posts/:id/repost',
    {
      schema: {
        operationId: 'unrepost',
        summary: 'Remove a repost',
        description: 'Removes your repost of a post. Without a repost nothing changes.',
        tags,
        params: PathId,
        response: { 200: Ok(Unreposted) },
      },
      config: { access: 'user' },
    },
    async (req) => ok(await unrepost(ctx, who(req), req.params.id)),
  )

  app.post(
    '/api/posts/:id/repost',
    {
      schema: {
        operationId: 'repost',
        summary: 'Repost a post',
        description:
          'Shares a post with your followers as a post of type `repost`. Reposting it again returns 200 ' +
          'with the same repost. Posts of protected accounts, and posts between accounts of which one has ' +
          'blocked the other, cannot be reposted (403).',
        tags,
        params: PathId,
        response: { 200: Reposted, 201: Reposted },
      },
      config: { access: 'user', idempotent: true, refuses: [409, 422] },
    },
    async (req, reply) => {
      const { post, created } = await repost(ctx, who(req), req.params.id)
      reply.code(created ? 201 : 200)
      return ok({ post })
    },
  )

  app.get(
    '/api/posts/:id/likes',
    {
      schema: {
        operationId: 'listLikes',
        summary: 'List likes of a post',
        description:
          'Returns the profiles of those who like a post, by pages of 20 unless `limit` says otherwise.',
        tags,
        params: PathId,
        querystring: PageQuery,
        response: { 200: OkPage(Users) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { users, total } = await listLikers(ctx, viewer(req), req.params.id, req.query)
      return okPage({ users }, req.query, total)
    },
  )

  app.get(
    '/api/posts/:id/reposts',
    {
      schema: {
        operationId: 'listReposts',
        summary: 'List reposts of a post',
        description:
          'Returns the profiles of those who reposted a post, by pages of 20 unless `limit` says ' +
          'otherwise.',
        tags,
        params: PathId,
        querystring: PageQuery,
        response: { 200: OkPage(Users) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { users, total } = await listReposters(ctx, viewer(req), req.params.id, req.query)
      return okPage({ users }, req.query, total)
    },
  )

  app.get(
    '/api/posts/:id/replies',
    {
      schema: {
        operationId: 'listReplies',
        summary: 'List replies to a post',
        description:
          'Returns the direct replies to a post, oldest first. Replies to those replies are listed under ' +
          'each of them.',
        tags,
        params: PathId,
        querystring: PageQuery,
        response: { 200: OkPage(Posts) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { posts, total } = await listReplies(ctx, viewer(req), req.params.id, req.query)
      return okPage({ posts }, req.query, total)
    },
  )

  app.get(
    '/api/posts/:id/quotes',
    {
      schema: {
        operationId: 'listQuotes',
        summary: 'List quotes of a post',
        description:
          'Returns the posts that quote a post, newest first. Only quotes that you may see are listed.',
        tags,
        params: PathId,
        querystring: PageQuery,
        response: { 200: OkPage(Posts) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { posts, total } = await listQuotes(ctx, viewer(req), req.params.id, req.query)
      return okPage({ posts }, req.query, total)
    },
  )
}
