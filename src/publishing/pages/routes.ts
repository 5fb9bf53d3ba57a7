import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Id, OneOf } from '#platform/http/schema.ts'
import { scoped } from '#platform/http/scope.ts'
import type { App, Module } from '../access.ts'
import type { Publishing } from '../context.ts'
import { CursorQuery, PageQuery, pageFields } from '../paging.ts'
import { Handle } from '../profiles/schema.ts'
import { Tag } from '../timelines/schema.ts'
import { signInPage, signUpPage } from './account.ts'
import { actions } from './actions.ts'
import { crowdPage, historyPage, postAt, quotesPage } from './around.ts'
import { composePage } from './compose.ts'
import { acceptForms, Next, readerOf } from './forms.ts'
import { keysPage } from './keys.ts'
import { leavingPage } from './leaving.ts'
import { passwordPages } from './password-routes.ts'
import { profilePage } from './profile.ts'
import { relations } from './relations.ts'
import { searchPage } from './search.ts'
import { settingsPage } from './settings.ts'
import { show } from './show.ts'
import { signing } from './signing.ts'
import { threadPage } from './thread.ts'
import { explorePage, homePage, tagPage } from './timeline.ts'

const forAll = { access: 'page' } as const
const forMembers = { access: 'member' } as const
const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 280 })),
  type: OneOf(['post', 'user', 'hashtag'], { default: 'post' }),
  ...pageFields,
})
const DraftQuery = Type.Object({
  reply: Type.Optional(Id),
  quote: Type.Optional(Id),
  edit: Type.Optional(Id),
})

const PostPath = Type.Object({ ...Handle.properties, id: Id })

const asked = <Q>(req: FastifyRequest & { query: Q }) => ({
  reader: readerOf(req),
  path: req.url,
  query: req.query,
})

const reading = (app: App, ctx: Publishing) => {
  app.get('/', { schema: { hide: true, querystring: CursorQuery }, config: forAll }, async (req, reply) =>
    show(req, reply, await explorePage(ctx, asked(req))),
  )
  app.get(
    '/home',
    { schema: { hide: true, querystring: CursorQuery }, config: forMembers },
    async (req, reply) => show(req, reply, await homePage(ctx, asked(req))),
  )
  app.get(
    '/tags/:tag',
    { schema: { hide: true, params: Tag, querystring: CursorQuery }, config: forAll },
    async (req, reply) => show(req, reply, await tagPage(ctx, req.params.tag, asked(req))),
  )
  app.get(
    '/search',
    { schema: { hide: true, querystring: SearchQuery }, config: { ...forAll, limit: 'search' } },
    async (req, reply) => show(req, reply, await searchPage(ctx, asked(req))),
  )
  app.get(
    '/@:handle',
    { schema: { hide: true, params: Handle, querystring: PageQuery }, config: forAll },
    async (req, reply) => show(req, reply, await profilePage(ctx, req.params.handle, asked(req))),
  )
  app.get(
    '/@:handle/:id',
    {
      schema: { hide: true, params: PostPath, querystring: PageQuery },
      config: forAll,
    },
    async (req, reply) => {
      const post = await postAt(ctx, readerOf(req), req.params)
      return show(req, reply, await threadPage(ctx, post, asked(req)))
    },
  )
}

/** What stands around a post. */
const around = (app: App, ctx: Publishing) => {
  const options = { schema: { hide: true, params: PostPath, querystring: PageQuery }, config: forAll }
  app.get('/@:handle/:id/history', options, async (req, reply) => {
    const post = await postAt(ctx, readerOf(req), req.params)
    return show(req, reply, await historyPage(ctx, post, asked(req)))
  })
  app.get('/@:handle/:id/quotes', options, async (req, reply) => {
    const post = await postAt(ctx, readerOf(req), req.params)
    return show(req, reply, await quotesPage(ctx, post, asked(req)))
  })
  for (const which of ['likes', 'reposts'] as const)
    app.get(`/@:handle/:id/${which}`, options, async (req, reply) => {
      const post = await postAt(ctx, readerOf(req), req.params)
      return show(req, reply, await crowdPage(ctx, post, which, asked(req)))
    })
}

const writing = (app: App, ctx: Publishing) => {
  const SignInQuery = Type.Object({ next: Next })
  app.get(
    '/sign-in',
    { schema: { hide: true, querystring: SignInQuery }, config: forAll },
    async (req, reply) => show(req, reply, signInPage(req.query)),
  )
  app.get('/sign-up', { schema: { hide: true }, config: forAll }, async (req, reply) =>
    show(req, reply, signUpPage({})),
  )
  app.get(
    '/compose',
    { schema: { hide: true, querystring: DraftQuery }, config: forMembers },
    async (req, reply) => show(req, reply, await composePage(ctx, readerOf(req)!, req.query)),
  )
  app.get('/settings', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    show(req, reply, await settingsPage(ctx, readerOf(req)!)),
  )
  app.get('/settings/delete', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    show(req, reply, leavingPage(readerOf(req)!)),
  )
  app.get('/keys', { schema: { hide: true }, config: forMembers }, async (req, reply) =>
    show(req, reply, await keysPage(ctx, readerOf(req)!)),
  )
}

/** Everything for people with a browser. */
export const pages: Module = (app, ctx) => {
  scoped(app, (scope) => {
    acceptForms(scope)
    reading(scope, ctx)
    around(scope, ctx)
    relations(scope, ctx)
    writing(scope, ctx)
    signing(scope, ctx)
    passwordPages(scope, ctx)
    actions(scope, ctx)
  })
}
