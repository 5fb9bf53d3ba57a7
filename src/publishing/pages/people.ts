import { type Html, html } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { listFollowers, listFollowing, listRequests } from '../graph/graph.ts'
import { listOwn } from '../graph/relations.ts'
import { reachable } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import type { Page, Reader } from './page.ts'
import { about, type Numbered, numberedPager, ownTabs, tabs } from './parts.ts'
import { avatar, verified } from './post.ts'

type Member = NonNullable<Reader>
export const morePeople = { prev: 'Back', next: 'More' }

type Listed = Pick<Profile, 'handle' | 'username' | 'bio' | 'avatar_url' | 'is_verified'> & {
  isSuspended?: boolean
}

const suspended = ({ handle }: Listed) =>
  html`${avatar({ avatar_url: null, username: '–' })}<div><span class="author"><b>@${handle}</b> <span>suspended</span></span></div>`

const shown = (user: Listed) =>
  html`${avatar(user)}<div><a class="author" href="/@${user.handle}"><b dir="auto">${user.username}</b>${verified(user.is_verified)} <span>@${user.handle}</span></a>${user.bio && html`<p class="bio" dir="auto">${user.bio}</p>`}</div>`

/** Accounts, each with what can be done about it. */
export const people = (users: readonly Listed[], aside?: (user: Listed) => Html): Html =>
  html`<ul class="people">${users.map(
    (user) => html`<li>${user.isSuspended ? suspended(user) : shown(user)}${aside?.(user)}</li>`,
  )}</ul>`

/** A button that lets somebody go again. */
const undo =
  ({ formToken }: Member, next: string, [action, words]: readonly [string, string]) =>
  ({ handle }: Listed) =>
    html`<form class="choice" method="post" action="/@${handle}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="next" value="${next}"><button name="action" value="${action}" aria-label="${words} @${handle}">${words}</button></form>`

const nobody = (title: string, text: string) =>
  html`<div class="empty"><p><strong>${title}</strong></p><p>${text}</p></div>`

const circles = {
  followers: { list: listFollowers, title: 'Followers', empty: 'Nobody follows this account yet.' },
  following: { list: listFollowing, title: 'Following', empty: 'This account follows nobody yet.' },
} as const

/** Who follows an account, or whom it follows; its owner can let those go. */
export const circlePage = async (
  ctx: Publishing,
  reader: Reader,
  handle: string,
  which: keyof typeof circles,
  query: Numbered,
): Promise<Page> => {
  const { list, title, empty } = circles[which]
  const person = await reachable(ctx, handle)
  const own = `/@${person.handle}`
  const owner = which === 'following' && reader?.userId === person.id ? reader : null
  const { users, total } = await (owner ? listOwn(ctx, owner, 'following', query) : list(ctx, handle, query))
  const letGo = owner ? undo(owner, `${own}/following`, ['unfollow', 'Unfollow']) : undefined
  const description = `${title} of ${nameOf(person)}`
  return {
    title: description,
    head: about(ctx.config.urls.publishing, {
      path: query.page === 1 ? `${own}/${which}` : `${own}/${which}?page=${query.page}`,
      title: description,
      description,
    }),
    main: html`<h1><a class="author" href="${own}"><bdi>${person.username}</bdi></a></h1>
${tabs(
  'People',
  [
    [own, 'Posts'],
    [`${own}/followers`, 'Followers'],
    [`${own}/following`, 'Following'],
  ],
  `${own}/${which}`,
)}
${users.length > 0 ? people(users, letGo) : nobody(empty, 'This may change any day.')}
${numberedPager(`${own}/${which}`, query, total, morePeople)}`,
  }
}

const answers = ({ handle }: Listed, { formToken }: Member) =>
  html`<form class="choice" method="post" action="/requests/${handle}"><input type="hidden" name="token" value="${formToken}"><button class="primary" name="action" value="accept" aria-label="Approve @${handle}">Approve</button><button name="action" value="reject" aria-label="Reject @${handle}">Reject</button></form>`

/** Who waits for a member's approval. */
export const requestsPage = async (ctx: Publishing, reader: Member, query: Numbered): Promise<Page> => {
  const { users, total } = await listRequests(ctx, reader, query)
  return {
    title: 'Follow requests',
    main: html`${ownTabs('/requests')}<h1>Follow requests</h1>
<p class="lead">While your posts are protected, people ask before they can follow you.</p>
${users.length > 0 ? people(users, (user) => answers(user, reader)) : nobody('Nobody is waiting.', 'Requests show up here until you answer them.')}
${numberedPager('/requests', query, total, morePeople)}`,
  }
}

const hidden = {
  blocked: {
    title: 'Blocked accounts',
    text: 'They cannot follow you, answer, like, quote or repost you, nor you them.',
    way: ['unblock', 'Unblock'],
  },
  muted: {
    title: 'Muted accounts',
    text: 'Their posts stay out of your home timeline. They are not told.',
    way: ['unmute', 'Unmute'],
  },
} as const

/** Whom a member does not want to see, with the way back. */
export const hiddenPage = async (
  ctx: Publishing,
  reader: Member,
  which: keyof typeof hidden,
  query: Numbered,
): Promise<Page> => {
  const { title, text, way } = hidden[which]
  const { users, total } = await listOwn(ctx, reader, which, query)
  return {
    title,
    main: html`${ownTabs(`/${which}`)}<h1>${title}</h1>
<p class="lead">${text}</p>
${users.length > 0 ? people(users, undo(reader, `/${which}`, way)) : nobody(`Nobody is ${which}.`, 'You find the button on each profile, under More.')}
${numberedPager(`/${which}`, query, total, morePeople)}`,
  }
}
