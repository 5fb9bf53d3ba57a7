import type { FastifyRequest } from 'fastify'
import { Id, OneOf } from '#platform/http/schema.ts'
import { scoped } from '#platform/http/scope.ts'
import { Type } from '#platform/type/type.ts'
import { type App, type Module, reader } from '../access.ts'
import type { Publishing } from '../context.ts'
import { CursorQuery, PageQuery, pageFields } from '../paging.ts'
import { Tag } from '../posts/schema.ts'
import { Handle } from '../profiles/schema.ts'
import { accountRoutes } from './account-routes.ts'
import { addressRoutes } from './address-routes.ts'
import { acceptForms } from './forms.ts'
import { instancePages } from './instance.ts'
import { countForHeader, notificationRoutes } from './notification-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { pictureRoutes, pictureUploads } from './picture-routes.ts'
import { historyPage, postAt, postUsersPage, quotesPage } from './post-lists.ts'
import { postRoutes } from './post-routes.ts'
import { profilePage } from './profile.ts'
import { relationRoutes } from './relation-routes.ts'
import { sendPage } from './reply.ts'
import { searchPage } from './search.ts'
import { sessionRoutes } from './session-routes.ts'
import { ownSessionRoutes } from './sessions.ts'
import { settingsRoutes } from './settings-routes.ts'
import { threadPage } from './thread.ts'
import { explorePage, homePage, tagPage } from './timeline.ts'
import type { Drafts } from './typed-forms.ts'

const forAll = { access: 'page' } as const
const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 280 })),
  type: OneOf(['post', 'user', 'hashtag'], { default: 'post' }),
  ...pageFields,
})

const PostPath = Type.Object({ ...Handle.properties, id: Id })

const requestOf = <Q>(req: FastifyRequest & { query: Q }) => ({
  reader: reader(req),
  path: req.url,
  query: req.query,
})

const readingRoutes = (app: App, ctx: Publishing) => {
  app.get('/', { schema: { hide: true, querystring: CursorQuery }, config: forAll }, async (req, reply) =>
    sendPage(req, reply, await explorePage(ctx, requestOf(req))),
  )
  app.get('/explore', { schema: { hide: true }, config: forAll }, (_, reply) => reply.redirect('/', 308))
  app.get(
    '/home',
    { schema: { hide: true, querystring: CursorQuery }, config: { access: 'member' } },
    async (req, reply) => sendPage(req, reply, await homePage(ctx, requestOf(req))),
  )
  app.get(
    '/tags/:tag',
    { schema: { hide: true, params: Tag, querystring: CursorQuery }, config: forAll },
    async (req, reply) => sendPage(req, reply, await tagPage(ctx, req.params.tag, requestOf(req))),
  )
  app.get(
    '/search',
    { schema: { hide: true, querystring: SearchQuery }, config: { ...forAll, limit: 'search' } },
    async (req, reply) => sendPage(req, reply, await searchPage(ctx, requestOf(req))),
  )
  app.get(
    '/@:handle',
    { schema: { hide: true, params: Handle, querystring: PageQuery }, config: forAll },
    async (req, reply) => sendPage(req, reply, await profilePage(ctx, req.params.handle, requestOf(req))),
  )
}

/** A post, and the lists that belong to it. */
const onePostRoutes = (app: App, ctx: Publishing) => {
  const options = { schema: { hide: true, params: PostPath, querystring: PageQuery }, config: forAll }
  app.get('/@:handle/:id', options, async (req, reply) => {
    const post = await postAt(ctx, reader(req), req.params)
    return sendPage(req, reply, await threadPage(ctx, post, requestOf(req)))
  })
  app.get('/@:handle/:id/history', options, async (req, reply) => {
    const post = await postAt(ctx, reader(req), req.params)
    return sendPage(req, reply, await historyPage(ctx, post, requestOf(req)))
  })
  app.get('/@:handle/:id/quotes', options, async (req, reply) => {
    const post = await postAt(ctx, reader(req), req.params)
    return sendPage(req, reply, await quotesPage(ctx, post, requestOf(req)))
  })
  for (const which of ['likes', 'reposts'] as const)
    app.get(`/@:handle/:id/${which}`, options, async (req, reply) => {
      const post = await postAt(ctx, reader(req), req.params)
      return sendPage(req, reply, await postUsersPage(ctx, post, which, requestOf(req)))
    })
}

/** All pages for people with a browser. */
export const pages: Module = (app, ctx) => {
  app.decorate('instance', ctx.instance)
  scoped(app, (scope) => {
    acceptForms(scope)
    countForHeader(scope, ctx)
    const drafts: Drafts = new Map()
    addressRoutes(scope)
    readingRoutes(scope, ctx)
    onePostRoutes(scope, ctx)
    relationRoutes(scope, ctx)
    notificationRoutes(scope, ctx)
    sessionRoutes(scope, ctx, drafts)
    passwordRoutes(scope, ctx)
    accountRoutes(scope, ctx)
    ownSessionRoutes(scope, ctx)
    postRoutes(scope, ctx, drafts)
    settingsRoutes(scope, ctx, drafts)
    pictureRoutes(scope, ctx)
    instancePages(scope, ctx)
  })
  pictureUploads(app, ctx)
}
