import { type TSchema, Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import { type Module, viewer, who } from '../access.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { Users } from '../graph/schema.ts'
import { PageQuery } from '../paging.ts'
import { Post, Posts } from '../posts/schema.ts'
import * as rules from './interactions.ts'
import { listLikers, listQuotes, listReplies, listReposters } from './lists.ts'

const tags = ['Interactions']
const Liked = Type.Object({ liked: Type.Boolean(), like_count: Type.Integer() })
const Reposted = Ok(Type.Object({ post: Post }))
const Unreposted = Type.Object({ reposted: Type.Boolean(), repost_count: Type.Integer() })

export const interactions: Module = (app, ctx) => {
  const act = (
    call: ['post' | 'delete', string],
    [operationId, summary]: [string, string],
    answer: TSchema,
    run: (me: Principal, id: number) => Promise<unknown>,
  ) =>
    app[call[0]](
      call[1],
      {
        schema: { operationId, summary, tags, params: PathId, response: { 200: Ok(answer) } },
        config: { access: 'user' },
      },
      async (req) => ok(await run(who(req), (req.params as { id: number }).id)) as never,
    )
  act(['post', '/api/posts/:id/like'], ['likePost', 'Like a post'], Liked, (me, id) =>
    rules.setLiked(ctx, me, id, true),
  )
  act(['delete', '/api/posts/:id/like'], ['unlikePost', 'Take a like back'], Liked, (me, id) =>
    rules.setLiked(ctx, me, id, false),
  )
  act(['delete', '/api/posts/:id/repost'], ['unrepost', 'Take a repost back'], Unreposted, (me, id) =>
    rules.unrepost(ctx, me, id),
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

  const list = <D extends object>(
    name: string,
    [operationId, summary]: [string, string],
    answer: TSchema,
    read: (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => Promise<D & { total: number }>,
  ) =>
    app.get(
      `/api/posts/:id/${name}`,
      {
        schema: {
          operationId,
          summary,
          tags,
          params: PathId,
          querystring: PageQuery,
          response: { 200: OkPage(answer) },
        },
        config: { access: 'reader' },
      },
      async (req) => {
        const { total, ...data } = await read(ctx, viewer(req), req.params.id, req.query)
        return okPage(data, req.query, total) as never
      },
    )
  list('likes', ['listLikes', 'Who likes a post'], Users, listLikers)
  list('reposts', ['listReposts', 'Who reposted a post'], Users, listReposters)
  list('replies', ['listReplies', 'Direct replies, oldest first'], Posts, listReplies)
  list('quotes', ['listQuotes', 'Quotes, newest first'], Posts, listQuotes)
}
