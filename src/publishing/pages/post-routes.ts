import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import { Id, OneOf, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { raw } from '#platform/web/html.ts'
import { type App, limitWrites, member } from '../access.ts'
import type { Member, Publishing } from '../context.ts'
import { like, unlike } from '../interactions/likes.ts'
import { createPost, deletePost, editPost, readPost, renderText, repost, unrepost } from '../posts/posts.ts'
import { NewPost } from '../posts/schema.ts'
import { pathTo, postFooter } from './actions.ts'
import { composePage, type Draft, previewPart } from './compose.ts'
import { maxPathLength, Next, ownPath, pathBefore } from './forms.ts'
import { withShortLinks } from './links.ts'
import { partWanted, redirect, sendPage, sendPart } from './reply.ts'
import { type Drafts, typedForm } from './typed-forms.ts'

const forMembers = { access: 'member' } as const

const DraftQuery = Type.Object({
  reply: Type.Optional(Id),
  quote: Type.Optional(Id),
  edit: Type.Optional(Id),
})

const ComposeForm = Type.Object({
  content: Type.String(),
  replySettings: NewPost.properties.replySettings,
  reply: Type.Optional(Type.String()),
  quote: Type.Optional(Type.String()),
  edit: Type.Optional(Type.String()),
  back: Next,
  preview: Type.Optional(Type.String()),
})
type ComposeForm = Type.Static<typeof ComposeForm>

/** Ids come from hidden fields. One that is no id is no mistake of the user: there is just no such post. */
const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : notFound('Post not found'))

const idsIn = ({ reply, quote, edit }: Pick<ComposeForm, 'reply' | 'quote' | 'edit'>) => ({
  ...(reply === undefined ? {} : { reply: idIn(reply) }),
  ...(quote === undefined ? {} : { quote: idIn(quote) }),
  ...(edit === undefined ? {} : { edit: idIn(edit) }),
})

/** What was entered, be it valid or not. */
const draftOf = ({ content = '', replySettings, back, ...ids }: Record<string, string>): Draft => ({
  content,
  ...(replySettings ? { replySettings } : {}),
  ...(back ? { back } : {}),
  ...idsIn(ids),
})

/** The page that led to the form, unless it is the form itself, or the sign-in in front of it. */
const pageBefore = (req: FastifyRequest) => {
  const before = pathBefore(req)
  return before && before.length <= maxPathLength && !/^\/(compose|sign-)/.test(before)
    ? { back: before }
    : {}
}

/** Shows what the text will look like: in the form, or as the part of it that a script asks for. */
const showPreview = async (ctx: Publishing, me: Member, req: FastifyRequest, reply: FastifyReply) => {
  await limitWrites(ctx, me, reply)
  const entered = req.body as Record<string, string>
  const preview = raw(withShortLinks(await renderText(ctx, entered.content ?? '')))
  if (partWanted(req)) return sendPart(reply, previewPart(preview))
  return sendPage(req, reply, await composePage(ctx, me, { ...draftOf(entered), preview }))
}

/** Publishes or edits a post; returns its path. */
const publish = async (ctx: Publishing, me: Member, input: ComposeForm, response: FastifyReply) => {
  const { reply, quote, edit } = idsIn(input)
  if (edit) await limitWrites(ctx, me, response)
  const { content, replySettings = 'everyone' } = input
  const target = reply
    ? { type: 'reply' as const, parentId: reply }
    : quote
      ? { type: 'quote' as const, quoteOfId: quote }
      : {}
  const post = edit
    ? await editPost(ctx, me, edit, content)
    : (await createPost(ctx, me, { content, replySettings, ...target })).post
  return `/@${post.author.handle}/${post.id}`
}

const actions = { like, unlike, repost, unrepost, delete: deletePost }
const ActionForm = Type.Object({
  action: OneOf(Object.keys(actions) as (keyof typeof actions)[]),
  next: Next,
})

/** Writing posts, and the buttons below each of them. */
export const postRoutes = (app: App, ctx: Publishing, drafts: Drafts) => {
  app.get(
    '/compose',
    { schema: { hide: true, querystring: DraftQuery }, config: forMembers },
    async (req, reply) =>
      sendPage(req, reply, await composePage(ctx, member(req), { ...req.query, ...pageBefore(req) })),
  )

  typedForm(app, ctx, drafts, {
    path: '/compose',
    body: ComposeForm,
    limit: 'burst',
    work: async (me, req, reply) => {
      const input = req.body as ComposeForm
      if (input.preview) return showPreview(ctx, me, req, reply)
      return redirect(reply, await publish(ctx, me, input, reply))
    },
    page: (me, entered, problems) => composePage(ctx, me, { ...draftOf(entered), problems }),
  })

  app.post(
    '/posts/:id',
    { schema: { hide: true, params: PathId, body: ActionForm }, config: forMembers },
    async (req, reply) => {
      const me = member(req)
      const { id } = req.params
      const { action, next } = req.body
      await actions[action](ctx, me, id)
      const path = ownPath(next)
      if (action !== 'delete' && partWanted(req)) {
        const post = await readPost(ctx, me, id)
        const isMain = path.split(/[?#]/)[0] === pathTo(post)
        return sendPart(reply, postFooter(post, { reader: me, next: path, isMain }))
      }
      const isDeletedPage = action === 'delete' && path.startsWith(`/@${me.handle}/${id}`)
      return redirect(reply, isDeletedPage ? `/@${me.handle}` : path)
    },
  )
}
