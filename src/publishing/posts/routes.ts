import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import { type Module, viewer, who } from '../access.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { HistoryQuery, pageFields } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import { cachedJson } from '../responses/cached-response.ts'
import { sendCached } from '../responses/send.ts'
import { createPost } from './create.ts'
import { deletePost, editPost, listPostsOf, readHistory, readPost, readPublicPost } from './posts.ts'
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
        summary: 'Publish a post, a reply or a quote',
        tags,
        body: NewPost,
        response: { 201: Ok(OnePost) },
      },
      config: { access: 'poster', limit: 'burst', idempotent: true, refuses: [404] },
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
        summary: 'One post',
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
        return { value: cachedJson(onePost, ok(post)), shown }
      })
    },
  )

  app.patch(
    '/api/posts/:id',
    {
      schema: {
        operationId: 'editPost',
        summary: 'Change the text of your post; what it said before stays in its history',
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
        summary: 'Delete your post for good',
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
        summary: 'Everything a post ever said, oldest first',
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
        summary: 'Posts of an account, newest first',
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
