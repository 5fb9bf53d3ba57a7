import { type Html, html, raw } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import { renderTracked } from '../posts/render.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import { counts, isEmpty, pathTo, postFooter } from './actions.ts'
import { avatar, verified } from './avatar.ts'
import { withShortLinks } from './links.ts'
import { exactTime, fullTime, time } from './time.ts'

type Parents = ReadonlyMap<number, EmbeddedPost>

type Shown = {
  now: Date
  /** Without one, not even a visitor, nothing can be done with the posts. */
  reader?: Reader
  path?: string
  isMain?: boolean
  inThread?: boolean
  /** Whether it follows the post in the list that it replies to. */
  continues?: boolean
  /** The posts that are replied to, as far as the reader may see them. */
  parents?: Parents
  /** Whose posts these are, said once above them: their names are left out below. */
  ownerId?: number
  /** Marks what was searched for. */
  highlight?: (contentHtml: string) => string
}

const authorOf = ({ author }: EmbeddedPost) =>
  html`<a class="author p-author h-card" href="/@${author.handle}"><b class="p-name" dir="auto">${author.username}</b>${verified(author.is_verified)} <span>@${author.handle}</span></a> `

const byline = (post: EmbeddedPost, { now, ownerId }: Shown) => {
  const { author, url, created_at, edited_at } = post
  return html`<header>${author.id !== ownerId && authorOf(post)}<a class="when u-url" href="${url}">${time(created_at, now, 'dt-published')}${edited_at && html` · <span title="${fullTime(edited_at)}">edited</span>`}</a></header>`
}

const exactly = (post: EmbeddedPost) =>
  html`<p class="exact">${exactTime(post.created_at)}${post.edited_at && html` · <a href="${pathTo(post)}/history">Edited</a>`}</p>`

const contentOf = (post: EmbeddedPost, { highlight }: Shown) => {
  const shortened = withShortLinks(post.content_html)
  return raw(highlight ? highlight(shortened) : shortened)
}

const quoted = ({ quote_of_id, quoted_post: post }: Post, shown: Shown) =>
  quote_of_id !== null &&
  (post
    ? html`<blockquote class="quote u-quotation-of h-cite">${byline(post, shown)}<div class="content e-content" dir="auto" lang="${post.language}">${contentOf(post, shown)}</div></blockquote>`
    : html`<p class="quote gone">The quoted post is not available.</p>`)

/** A note above a repost or a reply that says why it is listed. */
const context = (post: Post, { inThread, parents }: Shown) => {
  if (post.reposted_post)
    return html`<p class="context"><a href="/@${post.author.handle}"><bdi>${post.author.username}</bdi></a> reposted</p>`
  if (post.parent_id === null || inThread) return null
  const parent = parents?.get(post.parent_id)
  return parent
    ? html`<p class="context">Replying to <a class="u-in-reply-to" href="${pathTo(parent)}">@${parent.author.handle}</a></p>`
    : html`<p class="context"><a href="${post.url}">Part of a conversation</a></p>`
}

const text = (post: Post, shown: Shown) =>
  isEmpty(post)
    ? html`<span class="gone">The reposted post is not available.</span>`
    : contentOf(post.reposted_post ?? post, shown)

/** A post in lists, threads and widgets. */
export const postCard = (post: Post, options: Shown): Html => {
  const { reader, path = '/', isMain = false, continues = false, ownerId } = options
  const shown = post.reposted_post ?? post
  const anchor = `p-${post.id}`
  return html`<article class="post h-entry${isMain && ' main'}${continues && ' continues'}" id="${anchor}">${context(post, options)}${shown.author.id !== ownerId && avatar(shown.author)}<div class="body">${byline(shown, options)}<div class="content e-content" dir="auto" lang="${shown.language}">${text(post, options)}</div>${quoted(post, options)}${isMain && exactly(shown)}${reader === undefined ? counts(shown, false) : postFooter(post, { reader, next: `${path}#${anchor}`, isMain })}</div></article>`
}

const isReplyTo = (post: Post, before: Post | undefined) =>
  before !== undefined && post.parent_id === before.id

export const postList = (posts: readonly Post[], shown: Shown, empty: Html): Html =>
  posts.length === 0
    ? html`<div class="empty">${empty}</div>`
    : html`<div class="posts">${posts.map((post, at) => postCard(post, { ...shown, continues: isReplyTo(post, posts[at - 1]) }))}</div>`

/** The same, where replies say to whom they reply. */
export const postListWithParents = async (
  ctx: Publishing,
  posts: readonly Post[],
  shown: Shown & { reader: Reader },
  empty: Html,
): Promise<Html> => {
  const ids = posts.map(({ parent_id }) => parent_id).filter((id) => id !== null)
  const { posts: found } = await renderTracked(ctx, shown.reader, [...new Set(ids)])
  return postList(posts, { ...shown, parents: new Map(found.map((each) => [each.id, each])) }, empty)
}
