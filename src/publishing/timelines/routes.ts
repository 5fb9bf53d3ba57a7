import { Type } from 'typebox'
import { Nullable } from '#platform/http/schema.ts'
import { type Module, viewer, who } from '../access.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { CursorQuery, oneCursor, PageQuery } from '../paging.ts'
import { Post, Posts, Tag } from '../posts/schema.ts'
import { readExplore, readHome, readTagPage, readTagTimeline } from './timelines.ts'

const tags = ['Timelines']
const Timeline = Ok(
  Type.Object({
    posts: Type.Array(Post),
    nextCursor: Nullable(Type.String({ description: 'null when there is no more' })),
  }),
)

export const timelines: Module = (app, ctx) => {
  app.get(
    '/api/timeline/explore',
    {
      schema: {
        operationId: 'exploreTimeline',
        summary: 'Everything public, newest first',
        tags,
        querystring: CursorQuery,
        response: { 200: Timeline },
      },
      preValidation: oneCursor,
      config: { access: 'reader' },
    },
    async (req) => ok(await readExplore(ctx, viewer(req), req.query)),
  )

  app.get(
    '/api/timeline/home',
    {
      schema: {
        operationId: 'homeTimeline',
        summary: 'Posts and reposts of those you follow, and your own',
        tags,
        querystring: CursorQuery,
        response: { 200: Timeline },
      },
      preValidation: oneCursor,
      config: { access: 'user' },
    },
    async (req) => ok(await readHome(ctx, who(req), req.query)),
  )

  app.get(
    '/api/timeline/hashtag/:tag',
    {
      schema: {
        operationId: 'hashtagTimeline',
        summary: 'Posts with a tag, newest first, by cursor',
        tags,
        params: Tag,
        querystring: CursorQuery,
        response: { 200: Timeline },
      },
      preValidation: oneCursor,
      config: { access: 'reader' },
    },
    async (req) => ok(await readTagTimeline(ctx, viewer(req), req.params.tag, req.query)),
  )

  app.get(
    '/api/hashtags/:tag',
    {
      schema: {
        operationId: 'listHashtagPosts',
        summary: 'Posts with a tag, newest first, by page',
        tags,
        params: Tag,
        querystring: PageQuery,
        response: { 200: OkPage(Posts) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { posts, total } = await readTagPage(ctx, viewer(req), req.params.tag, req.query)
      return okPage({ posts }, req.query, total)
    },
  )
}
