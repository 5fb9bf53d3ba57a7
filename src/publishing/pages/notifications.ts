import { type Html, html, joinHtml } from '#platform/web/html.ts'
import type { Member, Publishing } from '../context.ts'
import { plainText, shorten } from '../feeds/text.ts'
import { listNotifications } from '../notifications/notifications.ts'
import type { Notification, NotificationType } from '../notifications/schema.ts'
import { counted, pathTo } from './actions.ts'
import { avatar, verified } from './avatar.ts'
import { type IconName, icon } from './icons.ts'
import type { Page } from './page.ts'
import { pager, tabs } from './parts.ts'
import { time } from './time.ts'
import { requestButtons } from './user-lists.ts'

const perPage = 50
const maxFaces = 7

const kinds: Record<NotificationType, { icon: IconName; words: string }> = {
  like: { icon: 'like', words: 'liked your post' },
  repost: { icon: 'repost', words: 'reposted your post' },
  reply: { icon: 'reply', words: 'replied to you' },
  quote: { icon: 'quote', words: 'quoted your post' },
  mention: { icon: 'mention', words: 'mentioned you' },
  follow: { icon: 'person', words: 'followed you' },
  follow_request: { icon: 'person', words: 'asked to follow you' },
  follow_accepted: { icon: 'check', words: 'approved your request to follow them' },
}

/** Likes of one post, its reposts, and follows are told together if none or all of them are new. */
const groupKey = ({ id, type, post, is_read }: Notification) =>
  ['like', 'repost', 'follow'].includes(type) ? `${type} ${post?.id} ${is_read}` : id

const peopleLink = ({ type, post }: Notification, { handle }: Member) =>
  post ? `${pathTo(post)}/${type}s` : `/@${handle}/followers`

const person = ({ actor }: Notification) =>
  html`<a class="author" href="/@${actor.handle}"><b><bdi>${actor.username}</bdi></b>${verified(actor.is_verified)}</a>`

const names = (group: readonly Notification[], reader: Member) => {
  const [first, second, ...more] = group as [Notification, ...Notification[]]
  if (!second) return person(first)
  if (more.length === 0) return joinHtml([person(first), person(second)], ' and ')
  const others = html`<a class="author" href="${peopleLink(first, reader)}"><b>${counted(more.length + 1, 'other')}</b></a>`
  return joinHtml([person(first), others], ' and ')
}

/** The others of a group of whom not all are named. */
const faces = ([, ...others]: readonly Notification[]) =>
  others.length > 1 &&
  html`<div class="faces" aria-hidden="true">${others.slice(0, maxFaces).map(({ actor }) => avatar(actor))}</div>`

/** The post it is about, in short. The reader's own is quieter than what others wrote. */
const excerpt = ({ type, post }: Notification) => {
  if (!post) return null
  const isOwn = type === 'like' || type === 'repost'
  return html`<a class="excerpt${isOwn && ' own'}" href="${pathTo(post)}" dir="auto">${shorten(plainText(post), isOwn ? 120 : 280) || 'Open the post'}</a>${!isOwn && html`<a class="answer" href="/compose?reply=${post.id}" aria-label="Reply to @${post.author.handle}">${icon('reply')}Reply</a>`}`
}

const entry = (group: readonly Notification[], reader: Member, path: string, now: Date): Html => {
  const [newest] = group as [Notification]
  const { icon: name, words } = kinds[newest.type]
  const anchor = `n-${newest.id}`
  return html`<li class="told${!newest.is_read && ' new'}" data-kind="${newest.type}" id="${anchor}"><span class="face">${avatar(newest.actor)}<span class="kind">${icon(name)}</span></span><div><p>${!newest.is_read && html`<span class="unseen">New: </span>`}${names(group, reader)} ${words}&nbsp;· <span class="when">${time(newest.created_at, now)}</span></p>${faces(group)}${excerpt(newest)}${newest.type === 'follow_request' && requestButtons(newest.actor, reader, `${path}#${anchor}`)}</div></li>`
}

const shownIn = {
  all: { path: '/notifications', name: 'All', types: undefined },
  mentions: {
    path: '/notifications?show=mentions',
    name: 'Replies and mentions',
    types: 'reply,quote,mention',
  },
} as const
export type Shown = keyof typeof shownIn

const empty = {
  all: html`<p><strong>Nothing yet.</strong></p><p>Likes, reposts, replies, mentions and new followers show up here.</p><a class="button" href="/compose">Write a post</a>`,
  mentions: html`<p><strong>Nothing yet.</strong></p><p>Replies to your posts, quotes of them and posts that mention you show up here.</p>`,
}

/** Without script it is a button. With script, what is shown is marked as read as soon as somebody sees it. */
const readForm = (shown: readonly Notification[], unread: number, { formToken }: Member) => {
  const ids = shown.filter(({ is_read }) => !is_read).map(({ id }) => id)
  if (unread === 0 || shown.length === 0) return null
  return html`<form class="seen" method="post" action="/notifications/read"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="shown" value="${ids.join(',')}"><button name="upto" value="${shown[0]!.id}">Mark all as read</button></form>`
}

/** What others did that concerns a member. Reading the page changes nothing: browsers also fetch pages in advance. */
export const notificationsPage = async (
  ctx: Publishing,
  reader: Member,
  { page, show }: { page: number; show: Shown },
): Promise<Page> => {
  const { path, types } = shownIn[show]
  const query = { page, limit: perPage, ...(types ? { types } : {}) }
  const { notifications, total, unread } = await listNotifications(ctx, reader, query)
  const now = ctx.clock.now()
  const groups = [...Map.groupBy(notifications, groupKey).values()]
  const pathOf = (n: number) => (n === 1 ? path : `${path}${show === 'all' ? '?' : '&'}page=${n}`)
  return {
    title: unread > 0 ? `Notifications (${unread.toLocaleString('en')})` : 'Notifications',
    main: html`<div class="heading"><h1>Notifications</h1>${readForm(notifications, unread, reader)}</div>
${tabs(
  'Notifications',
  Object.values(shownIn).map(({ path, name }) => [path, name] as const),
  path,
)}
${groups.length > 0 ? html`<ul class="tellings">${groups.map((group) => entry(group, reader, pathOf(page), now))}</ul>` : html`<div class="empty">${empty[show]}</div>`}
${pager({ prev: page > 1 ? pathOf(page - 1) : null, next: page * perPage < total ? pathOf(page + 1) : null })}`,
  }
}
