import { type Html, html, joinHtml, raw } from '#platform/web/html.ts'
import type { Reader } from '../context.ts'
import type { EmbeddedPost, Post } from '../posts/schema.ts'
import { type IconName, icon } from './icons.ts'

export const pathTo = ({ author, id }: EmbeddedPost) => `/@${author.handle}/${id}`

export const counted = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** A repost of a post that the reader cannot see: all one can do is delete it. */
export const isEmpty = (post: Post) => post.type === 'repost' && post.reposted_post === null

/** The counters of a post in words; on the page of the post they link to the lists. */
export const counts = (post: EmbeddedPost, isMain: boolean) => {
  const item = (n: number, words: string, href: string) =>
    n > 0 && (isMain ? html`<a href="${href}">${words}</a>` : html`${words}`)
  const list = (n: number, name: string) => item(n, counted(n, name), `${pathTo(post)}/${name}s`)
  const shown = [
    item(post.reply_count, counted(post.reply_count, 'reply', 'replies'), '#replies'),
    list(post.repost_count, 'repost'),
    list(post.quote_count, 'quote'),
    list(post.like_count, 'like'),
  ].filter((each) => each !== false)
  return shown.length > 0 && html`<p class="counts">${joinHtml(shown, ' · ')}</p>`
}

/** Where to sign in, and come back from. */
export const signInFor = (next: string) => `/sign-in?next=${encodeURIComponent(next)}`

/** An icon with a number; without one, with its name, for which phones have no room. */
const face = (name: IconName, label: string, n = 0, noun = '', nouns?: string) =>
  n > 0
    ? html`${icon(name)}<span aria-hidden="true">${n.toLocaleString('en')}</span><span class="unseen">${label}, ${counted(n, noun, nouns)}</span>`
    : html`${icon(name)}<span class="label">${label}</span>`

const link = (href: string, content: Html) => html`<a href="${href}" rel="nofollow">${content}</a>`

const toggle = (action: 'like' | 'repost', isOn: boolean, content: Html) =>
  html`<button name="action" value="${isOn ? `un${action}` : action}" data-swap=".below" data-key="${action}"${isOn && raw(' class="on"')}>${content}</button>`

const deletion = html`<details class="menu"><summary>${icon('remove')}<span class="label">Delete</span></summary><div><button name="action" value="delete">Delete permanently</button></div></details>`

const forAuthor = (post: Post, shown: EmbeddedPost, isMain: boolean) =>
  isEmpty(post)
    ? deletion
    : isMain && html`${link(`/compose?edit=${shown.id}`, face('edit', 'Edit'))}${deletion}`

type Row = { reader: Reader; next: string; isMain: boolean }

/** The buttons below a post. Visitors see them too: theirs lead to the sign-in. */
const actionRow = (post: Post, { reader, next, isMain }: Row): Html | null => {
  const shown = post.reposted_post ?? post
  const { liked = false, reposted = false } = post.viewer ?? {}
  // On the page of the post, the numbers are in a line of their own, where they link to the lists.
  const number = (n: number) => (isMain ? 0 : n)
  const reply = face('reply', 'Reply', number(shown.reply_count), 'reply', 'replies')
  const repost = face('repost', reposted ? 'Undo repost' : 'Repost', number(shown.repost_count), 'repost')
  const quote = face('quote', 'Quote', number(shown.quote_count), 'quote')
  const like = face('like', liked ? 'Unlike' : 'Like', number(shown.like_count), 'like')
  const replyTo = `/compose?reply=${shown.id}`
  const quoteOf = `/compose?quote=${shown.id}`
  if (!reader)
    return isEmpty(post)
      ? null
      : html`<div class="actions">${link(signInFor(replyTo), reply)}${link(signInFor(next), repost)}${link(signInFor(quoteOf), quote)}${link(signInFor(next), like)}</div>`
  const forAll =
    !isEmpty(post) &&
    html`${link(replyTo, reply)}${toggle('repost', reposted, repost)}${link(quoteOf, quote)}${toggle('like', liked, like)}`
  const own = shown.author.id === reader.userId && forAuthor(post, shown, isMain)
  if (!forAll && !own) return null
  return html`<form class="actions" method="post" action="/posts/${shown.id}"><input type="hidden" name="token" value="${reader.formToken}"><input type="hidden" name="next" value="${next}">${forAll}${own}</form>`
}

/** What changes when somebody likes or reposts a post: its numbers and buttons. */
export const postFooter = (post: Post, row: Row): Html =>
  html`<div class="below">${row.isMain && counts(post.reposted_post ?? post, true)}${actionRow(post, row)}</div>`
