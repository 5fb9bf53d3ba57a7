import { Nullable } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
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
        summary: 'Get the explore timeline',
        description:
          'Returns the public posts of all accounts, newest first. Pass `nextCursor` as `cursor` for the ' +
          'next page; it is null on the last one. Walking through the pages shows every post that existed ' +
          'at the start exactly once, also while others are being written.',
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
        summary: 'Get the home timeline',
        description:
          'Returns posts and reposts of the accounts that you follow, and your own, newest first. Muted ' +
          'accounts are left out. Pass `nextCursor` as `cursor` for the next page.',
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
        summary: 'Get a hashtag timeline',
        description:
          'Returns public posts with a hashtag, newest first, page by page with a cursor. Hashtags are ' +
          'matched ignoring case. Prefer this to the numbered pages when new posts keep arriving.',
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
        summary: 'List posts with a hashtag',
        description:
          'Returns public posts with a hashtag, newest first, in numbered pages with a total. Hashtags are ' +
          'matched ignoring case.',
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
