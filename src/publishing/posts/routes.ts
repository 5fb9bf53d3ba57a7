import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, viewer, who } from '../access.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { HistoryQuery, pageFields } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import { cachedJson } from '../responses/cached-response.ts'
import { cachingOf, sendCached } from '../responses/send.ts'
import {
  createPost,
  deletePost,
  editPost,
  listPostsOf,
  readHistory,
  readPost,
  readPublicPost,
} from './posts.ts'
import { Deleted, History, NewPost, Post, PostChange, Posts, PostType } from './schema.ts'

const tags = ['Posts']
const onePost = '/api/posts/:id'
const OnePost = Type.Object({ post: Post })

export const posts: Module = (app, ctx) => {
  app.post(
    '/api/posts',
    {
      schema: {
        operationId: 'createPost',
        summary: 'Create a post',
        description:
          'Publishes a post, a reply (with `parentId`) or a quote (with `quoteOfId`) of 1 to 280 ' +
          'characters. Use a bearer token or an API key. An account may publish 30 posts in any 60 ' +
          'seconds, and a key as many a day as its `daily_post_limit` allows; beyond that the response is ' +
          '429, and refused posts are not counted. A reply that the reply settings of the thread or a ' +
          'block do not allow is refused with 403.',
        tags,
        body: NewPost,
        response: { 201: Ok(OnePost) },
      },
      config: {
        access: 'poster',
        limit: 'burst',
        idempotent: true,
        refuses: [404],
        created: '/api/posts/{data.post.id}',
      },
    },
    async (req, reply) => {
      const { post, headers } = await createPost(ctx, who(req), req.body)
      reply.code(201).headers(headers)
      return ok({ post })
    },
  )

  app.get(
    onePost,
    {
      schema: {
        operationId: 'getPost',
        summary: 'Get a post',
        description:
          'Returns a post with its author, its counts, and the post that it quotes or repeats. Posts of ' +
          'protected accounts return 404 except to their owner and approved followers. With a bearer ' +
          'token, `viewer` says whether you liked or reposted it.',
        tags,
        params: PathId,
        response: { 200: Ok(Post) },
      },
      config: { access: 'reader' },
    },
    async (req, reply) => {
      const { id } = req.params
      if (req.principal !== null) return ok(await readPost(ctx, viewer(req), id))
      return sendCached(ctx, req, reply, async () => {
        const { post, shown } = await readPublicPost(ctx, id)
        return { value: cachedJson(onePost, ok(post), cachingOf(ctx.config, req)), shown }
      })
    },
  )

  app.patch(
    '/api/posts/:id',
    {
      schema: {
        operationId: 'editPost',
        summary: 'Edit a post',
        description:
          'Changes the text of your own post and sets `edited_at`. What it said before stays visible in ' +
          'its history. Hashtags and mentions follow the new text.',
        tags,
        params: PathId,
        body: PostChange,
        response: { 200: Ok(OnePost) },
      },
      config: { access: 'user' },
    },
    async (req) => ok({ post: await editPost(ctx, who(req), req.params.id, req.body.content) }),
  )

  app.delete(
    '/api/posts/:id',
    {
      schema: {
        operationId: 'deletePost',
        summary: 'Delete a post',
        description:
          'Deletes your own post for good; afterwards it returns 404. Replies to it stay, reposts of it ' +
          'vanish, and quotes of it show `quoted_post: null`.',
        tags,
        params: PathId,
        response: { 200: Ok(Deleted) },
      },
      config: { access: 'user' },
    },
    async (req) => {
      await deletePost(ctx, who(req), req.params.id)
      return ok({ id: req.params.id, deleted: true })
    },
  )

  app.get(
    '/api/posts/:id/history',
    {
      schema: {
        operationId: 'getPostHistory',
        summary: 'List revisions of a post',
        description:
          'Returns every text that a post has had, oldest first, with the time of each. Whoever may see ' +
          'the post may see its history.',
        tags,
        params: PathId,
        querystring: HistoryQuery,
        response: { 200: OkPage(History) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { history, total } = await readHistory(ctx, viewer(req), req.params.id, req.query)
      return okPage({ history }, req.query, total)
    },
  )

  app.get(
    '/api/users/:handle/posts',
    {
      schema: {
        operationId: 'listUserPosts',
        summary: 'List posts of an account',
        description:
          'Returns the posts of an account, newest first; `type` selects posts, reposts, quotes or ' +
          'replies, and without it all are returned. For a protected account this is refused with 403 ' +
          'except for its owner and approved followers.',
        tags,
        params: Handle,
        querystring: Type.Object({ ...pageFields, type: Type.Optional(PostType) }),
        response: { 200: OkPage(Posts) },
      },
      config: { access: 'reader' },
    },
    async (req) => {
      const { posts, total } = await listPostsOf(ctx, viewer(req), req.params.handle, req.query)
      return okPage({ posts }, req.query, total)
    },
  )
}
