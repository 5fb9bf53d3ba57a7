import { type Html, html, joinHtml, raw } from '#platform/web/html.ts'
import type { Member, Reader } from '../context.ts'
import { secureUrl } from '../feeds/feed.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import { fullTime, time } from './time.ts'

type Named = { username: string; handle: string; avatar_url: string | null; is_verified: boolean }

const initial = (name: string) => [...new Intl.Segmenter().segment(name.trim())][0]?.segment ?? '?'

export const avatar = ({ avatar_url, username }: Pick<Named, 'avatar_url' | 'username'>, size = 44) => {
  const url = secureUrl(avatar_url)
  return url
    ? html`<img class="avatar" src="${url}" alt="" width="${size}" height="${size}" loading="lazy" referrerpolicy="no-referrer">`
    : html`<span class="avatar" aria-hidden="true">${initial(username)}</span>`
}

export const verified = (is: boolean) =>
  is && html`<span class="verified" title="Verified">✓<span class="unseen"> verified</span></span>`

const byline = ({ author, url, created_at, edited_at }: EmbeddedPost, now: Date) =>
  html`<header><a class="author" href="/@${author.handle}"><b dir="auto">${author.username}</b>${verified(author.is_verified)} <span>@${author.handle}</span></a> <a class="when" href="${url}">${time(created_at, now)}${edited_at && html` <span title="${fullTime(edited_at)}">edited</span>`}</a></header>`

const plural = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** The counters of a post; on the page of the post they link to the lists. */
const counts = (post: EmbeddedPost, isMain: boolean) => {
  const { reply_count, repost_count, quote_count, like_count } = post
  const list = (n: number, name: string) => {
    const words = plural(n, name)
    return n > 0 && (isMain ? html`<a href="${pathTo(post)}/${name}s">${words}</a>` : html`${words}`)
  }
  const shown = [
    reply_count > 0 && html`${plural(reply_count, 'reply', 'replies')}`,
    list(repost_count, 'repost'),
    list(quote_count, 'quote'),
    list(like_count, 'like'),
  ].filter((each) => each !== false)
  return shown.length > 0 && html`<p class="counts">${joinHtml(shown, ' · ')}</p>`
}

const pathTo = ({ author, id }: EmbeddedPost) => `/@${author.handle}/${id}`

const exactly = (post: EmbeddedPost) =>
  html`<p class="exact">${fullTime(post.created_at)}${post.edited_at && html` · <a href="${pathTo(post)}/history">Edited</a>`}</p>`

/** A repost of a post that the reader cannot see: all one can do is delete it. */
const isEmpty = (post: Post) => post.type === 'repost' && post.reposted_post === null

const button = (on: boolean, off: string, label: string, back: string) =>
  html`<button name="action" value="${on ? `un${off}` : off}"${on && raw(' class="on"')}>${on ? back : label}</button>`

const deletion = html`<details class="menu"><summary>Delete</summary><div><button name="action" value="delete">Delete for good</button></div></details>`

const actions = (post: Post, reader: Member, path: string, isMain = false) => {
  const shown = post.reposted_post ?? post
  const { liked = false, reposted = false } = post.viewer ?? {}
  const own = shown.author.id === reader.userId
  const forAll =
    !isEmpty(post) &&
    html`<a href="/compose?reply=${shown.id}">Reply</a>${button(reposted, 'repost', 'Repost', 'Undo repost')}<a href="/compose?quote=${shown.id}">Quote</a>${button(liked, 'like', 'Like', 'Liked')}`
  const forAuthor =
    own &&
    (isEmpty(post) ? deletion : isMain && html`<a href="/compose?edit=${shown.id}">Edit</a>${deletion}`)
  if (!forAll && !forAuthor) return null
  return html`<form class="actions" method="post" action="/posts/${shown.id}"><input type="hidden" name="token" value="${reader.formToken}"><input type="hidden" name="next" value="${path}">${forAll}${forAuthor}</form>`
}

const quotation = (post: EmbeddedPost, now: Date) =>
  html`<blockquote class="quote">${byline(post, now)}<div class="content" dir="auto">${raw(post.content_html)}</div></blockquote>`

const quoted = ({ quote_of_id, quoted_post }: Post, now: Date) =>
  quote_of_id !== null &&
  (quoted_post
    ? quotation(quoted_post, now)
    : html`<p class="quote gone">The quoted post is not available.</p>`)

type Shown = { now: Date; reader?: Reader; path?: string; isMain?: boolean; inThread?: boolean }

/** A note above a repost or a reply that says why it is listed. */
const context = (post: Post, inThread: boolean) => {
  if (post.reposted_post)
    return html`<p class="context"><a href="/@${post.author.handle}"><bdi>${post.author.username}</bdi></a> reposted</p>`
  return (
    post.type === 'reply' &&
    !inThread &&
    html`<p class="context"><a href="${post.url}">In a conversation</a></p>`
  )
}

const text = (post: Post) =>
  isEmpty(post)
    ? html`<span class="gone">The reposted post is not available.</span>`
    : raw((post.reposted_post ?? post).content_html)

/** A post in lists, threads and widgets. */
export const postCard = (post: Post, { now, reader, path = '/', isMain, inThread }: Shown): Html => {
  const shown = post.reposted_post ?? post
  return html`<article class="post${isMain && ' main'}">${context(post, inThread === true)}${avatar(shown.author)}<div class="body">${byline(shown, now)}<div class="content" dir="auto">${text(post)}</div>${quoted(post, now)}${isMain && exactly(shown)}${counts(shown, isMain === true)}${reader && actions(post, reader, path, isMain)}</div></article>`
}

export const postList = (posts: readonly Post[], shown: Shown, empty: Html): Html =>
  posts.length === 0
    ? html`<div class="empty">${empty}</div>`
    : html`<div class="posts">${posts.map((post) => postCard(post, shown))}</div>`
