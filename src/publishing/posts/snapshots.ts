import type { Publishing, Viewer } from '../context.ts'
import { withPublicUrls } from '../picture-urls.ts'
import type { Profile } from '../profiles/schema.ts'
import { postRows } from './cache.ts'
import { renderRowFor } from './render.ts'
import type { Audience, PostRow } from './store.ts'

/** What may change of a post while it exists; what is left out was not there yet. */
export type PostParts = Partial<PostRow>

const atFirst = { like_count: 0, repost_count: 0, quote_count: 0, reply_count: 0, edited_at: null }

/** A post as it was, if it still exists and the viewer may see it now. */
export const renderParts = async (ctx: Publishing, viewer: Viewer, id: number, parts: PostParts) => {
  const row = await postRows(ctx).get(String(id))
  return row && renderRowFor(ctx, viewer, { ...row, ...atFirst, ...parts })
}

export const isThere = async (ctx: Publishing, id: number) =>
  (await postRows(ctx).get(String(id))) !== undefined

/** All of a post that is deleted by now. */
export type DeletedPost = { post: PostRow; author: Profile; audience: Audience }

/** If its author has been deleted too, everybody may see that a post is gone which everybody could see. */
export const renderDeleted = (ctx: Publishing, viewer: Viewer, { post, author, audience }: DeletedPost) =>
  renderRowFor(
    ctx,
    viewer,
    post,
    audience === 'public' ? withPublicUrls(ctx.config.urls.publishing, author) : undefined,
  )
