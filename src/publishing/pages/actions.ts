import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { invalid, notFound } from '#platform/errors.ts'
import { OneOf, PathId } from '#platform/http/schema.ts'
import type { App } from '../access.ts'
import type { Publishing } from '../context.ts'
import { limitWrites } from '../guard.ts'
import { repost, setLiked, unrepost } from '../interactions/interactions.ts'
import { createKey, revokeKey } from '../keys/keys.ts'
import { NewKey } from '../keys/schema.ts'
import { createPost, deletePost, editPost } from '../posts/posts.ts'
import { NewPost } from '../posts/schema.ts'
import { changeProfile } from '../profiles/profiles.ts'
import { composePage, type Draft } from './compose.ts'
import { form, Next, ownPath, readerOf } from './forms.ts'
import { keysPage } from './keys.ts'
import type { Reader } from './page.ts'
import { changeFrom, Settings, settingsPage } from './settings.ts'
import { attempt, goTo, show } from './show.ts'

const forMembers = { access: 'member' } as const

const Written = Type.Object({
  content: Type.String(),
  replySettings: NewPost.properties.replySettings,
  reply: Type.Optional(Type.String()),
  quote: Type.Optional(Type.String()),
  edit: Type.Optional(Type.String()),
})
type Written = Type.Static<typeof Written>

const draftOf = (written: Written): Draft => ({
  content: written.content,
  ...(written.replySettings ? { replySettings: written.replySettings } : {}),
  ...idsIn(written),
})

/** Nobody types these: what is no id is not for the form to say, there is no such post. */
const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : notFound('Post not found'))

const idsIn = ({ reply, quote, edit }: Written) => ({
  ...(reply === undefined ? {} : { reply: idIn(reply) }),
  ...(quote === undefined ? {} : { quote: idIn(quote) }),
  ...(edit === undefined ? {} : { edit: idIn(edit) }),
})

/** Publishes or changes what was written; answers where it can be read. */
const publish = async (
  ctx: Publishing,
  reader: NonNullable<Reader>,
  written: Written,
  answer: FastifyReply,
) => {
  const { reply, quote, edit } = idsIn(written)
  if (edit) await limitWrites(ctx, reader, answer)
  const { content, replySettings = 'everyone' } = written
  const place = reply
    ? { type: 'reply' as const, parentId: reply }
    : quote
      ? { type: 'quote' as const, quoteOfId: quote }
      : {}
  const post = edit
    ? await editPost(ctx, reader, edit, content)
    : (await createPost(ctx, reader, { content, replySettings, ...place })).post
  return `/@${post.author.handle}/${post.id}`
}

const deeds = {
  like: (ctx: Publishing, me: NonNullable<Reader>, id: number) => setLiked(ctx, me, id, true),
  unlike: (ctx: Publishing, me: NonNullable<Reader>, id: number) => setLiked(ctx, me, id, false),
  repost,
  unrepost,
  delete: deletePost,
}
const Deed = Type.Object({ action: OneOf(Object.keys(deeds) as (keyof typeof deeds)[]), next: Next })

const posting = (app: App, ctx: Publishing) => {
  app.post('/compose', { ...form(Written), config: { ...forMembers, limit: 'burst' } }, (req, reply) => {
    const written = req.body as Written
    const reader = readerOf(req)!
    return attempt(
      req,
      reply,
      async () => goTo(reply, await publish(ctx, reader, written, reply)),
      (problem) => composePage(ctx, reader, { ...draftOf(written), problem }),
    )
  })

  app.post(
    '/posts/:id',
    { schema: { hide: true, params: PathId, body: Deed }, config: forMembers },
    async (req, reply) => {
      const reader = readerOf(req)!
      const { id } = req.params
      await deeds[req.body.action](ctx, reader, id)
      const path = ownPath(req.body.next)
      const isGone = req.body.action === 'delete' && path.startsWith(`/@${reader.handle}/${id}`)
      return goTo(reply, isGone ? `/@${reader.handle}` : path)
    },
  )
}

const WantedKey = Type.Object({
  name: NewKey.properties.name,
  daily_post_limit: Type.Optional(Type.String()),
})

const limitFrom = (text = '100') => {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) invalid('Posts a day', 'must be 1 to 1000')
  return limit
}

const keeping = (app: App, ctx: Publishing) => {
  app.post('/settings', { ...form(Settings), config: forMembers }, (req, reply) => {
    const reader = readerOf(req)!
    const entered = req.body as Type.Static<typeof Settings>
    return attempt(
      req,
      reply,
      async () => {
        await changeProfile(ctx, reader, changeFrom(entered))
        return goTo(reply, `/@${reader.handle}`)
      },
      (problem) => settingsPage(ctx, reader, { entered, problem }),
    )
  })

  app.post('/keys', { ...form(WantedKey), config: forMembers }, (req, reply) => {
    const reader = readerOf(req)!
    const { name, daily_post_limit: limit } = req.body as Type.Static<typeof WantedKey>
    return attempt(
      req,
      reply,
      async () => {
        // Shown in the very answer, since nothing can show it again; nobody else may keep the page.
        const created = await createKey(ctx, reader, { name, daily_post_limit: limitFrom(limit) })
        reply.code(201)
        return show(req, reply, await keysPage(ctx, reader, { created }))
      },
      (problem) => keysPage(ctx, reader, { problem, name, ...(limit ? { limit } : {}) }),
    )
  })

  app.post(
    '/keys/:id/revoke',
    { schema: { hide: true, params: PathId }, config: forMembers },
    async (req, reply) => {
      await revokeKey(ctx, readerOf(req)!, req.params.id)
      return goTo(reply, '/keys')
    },
  )
}

/** What people do with forms, by the same rules as programs. */
export const actions = (app: App, ctx: Publishing) => {
  posting(app, ctx)
  keeping(app, ctx)
}
