import { type Html, html, raw } from '#platform/http/html.ts'
import { secureUrl } from '../feeds/feed.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import type { Reader } from './page.ts'
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

const counts = ({ reply_count, repost_count, quote_count, like_count }: EmbeddedPost) => {
  const told = [
    reply_count > 0 && plural(reply_count, 'reply', 'replies'),
    repost_count > 0 && plural(repost_count, 'repost'),
    quote_count > 0 && plural(quote_count, 'quote'),
    like_count > 0 && plural(like_count, 'like'),
  ].filter(Boolean)
  return told.length > 0 && html`<p class="counts">${told.join(' · ')}</p>`
}

const actions = (post: Post, reader: NonNullable<Reader>, path: string, isMain = false) => {
  const shown = post.reposted_post ?? post
  const { liked = false, reposted = false } = post.viewer ?? {}
  const button = (on: boolean, off: string, label: string, back: string) =>
    html`<button name="action" value="${on ? `un${off}` : off}"${on && raw(' class="on"')}>${on ? back : label}</button>`
  const own = shown.author.id === reader.userId
  return html`<form class="actions" method="post" action="/posts/${shown.id}"><input type="hidden" name="token" value="${reader.formToken}"><input type="hidden" name="next" value="${path}"><a href="/compose?reply=${shown.id}">Reply</a>${button(reposted, 'repost', 'Repost', 'Undo repost')}<a href="/compose?quote=${shown.id}">Quote</a>${button(liked, 'like', 'Like', 'Liked')}${own && isMain && html`<a href="/compose?edit=${shown.id}">Edit</a><button name="action" value="delete">Delete</button>`}</form>`
}

const quotation = (post: EmbeddedPost, now: Date) =>
  html`<blockquote class="quote">${byline(post, now)}<div class="content" dir="auto">${raw(post.content_html)}</div></blockquote>`

const quoted = ({ quote_of_id, quoted_post }: Post, now: Date) =>
  quote_of_id !== null &&
  (quoted_post
    ? quotation(quoted_post, now)
    : html`<p class="quote gone">The quoted post is not available.</p>`)

export type Shown = { now: Date; reader?: Reader; path?: string; isMain?: boolean; inThread?: boolean }

/** Why a post is here, where it does not speak for itself. */
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
  post.type === 'repost' && !post.reposted_post
    ? html`<span class="gone">The reposted post is not available.</span>`
    : raw((post.reposted_post ?? post).content_html)

/** A post as it looks everywhere: in lists, threads and widgets. */
export const postCard = (post: Post, { now, reader, path = '/', isMain, inThread }: Shown): Html => {
  const shown = post.reposted_post ?? post
  return html`<article class="post${isMain && ' main'}">${context(post, inThread === true)}${avatar(shown.author)}<div class="body">${byline(shown, now)}<div class="content" dir="auto">${text(post)}</div>${quoted(post, now)}${isMain && html`<p class="exact">${fullTime(shown.created_at)}</p>`}${counts(shown)}${reader && actions(post, reader, path, isMain)}</div></article>`
}

export const postList = (posts: readonly Post[], shown: Shown, empty: Html): Html =>
  posts.length === 0
    ? html`<div class="empty">${empty}</div>`
    : html`<div class="posts">${posts.map((post) => postCard(post, shown))}</div>`
