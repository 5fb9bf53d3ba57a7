import { type Html, html } from '#platform/web/html.ts'
import type { Member, Publishing, Reader } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { listFollowers, listFollowing, listOwn, listRequests } from '../graph/lists.ts'
import type { PageQuery } from '../paging.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import { avatar, verified } from './avatar.ts'
import { anchorOf, followButton, followButtons } from './follow-buttons.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { ownTabs, pageLinks, tabs } from './parts.ts'

export const moreUsers = { prev: 'Back', next: 'More' }

type Listed = Pick<Profile, 'id' | 'handle' | 'username' | 'bio' | 'avatar_url' | 'is_verified'> & {
  isSuspended?: boolean
}

const suspended = ({ handle }: Listed) =>
  html`${avatar({ avatar_url: null, username: '–', handle })}<div><span class="author"><b>@${handle}</b> <span>suspended</span></span></div>`

const shown = (user: Listed) =>
  html`${avatar(user)}<div><a class="author" href="/@${user.handle}"><b dir="auto">${user.username}</b>${verified(user.is_verified)} <span>@${user.handle}</span></a>${user.bio && html`<p class="bio" dir="auto">${user.bio}</p>`}</div>`

/** Accounts, each with its buttons. `neighbour` is the anchor of an entry that stays when this one goes. */
export const userList = (
  users: readonly Listed[],
  aside?: (user: Listed, neighbour: string) => Html | null,
): Html =>
  html`<ul class="people">${users.map(
    (user, n) =>
      html`<li id="${anchorOf(user)}">${user.isSuspended ? suspended(user) : shown(user)}${aside?.(user, anchorOf(users[n + 1] ?? users[n - 1] ?? user))}</li>`,
  )}</ul>`

/** A button that ends a block or a mute. */
const undoButton =
  ({ formToken }: Member, next: string, [action, words]: readonly [string, string]) =>
  ({ handle }: Listed, neighbour: string) =>
    html`<form class="choice" method="post" action="/@${handle}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="next" value="${next}#${neighbour}"><button name="action" value="${action}" aria-label="${words} @${handle}">${words}</button></form>`

const emptyList = (title: string, text?: string) =>
  html`<div class="empty"><p><strong>${title}</strong></p>${text && html`<p>${text}</p>`}</div>`

const followLists = {
  followers: {
    list: listFollowers,
    title: (name: string) => `Followers of ${name}`,
    empty: 'No followers yet.',
  },
  following: {
    list: listFollowing,
    title: (name: string) => `${name} follows`,
    empty: 'Not following anyone yet.',
  },
} as const

/** Who follows an account, or whom it follows, with follow buttons. The owner also sees, and unfollows, suspended ones. */
export const followsPage = async (
  ctx: Publishing,
  handle: string,
  which: keyof typeof followLists,
  { reader, query }: { reader: Reader; query: PageQuery },
): Promise<Page> => {
  const { list, title, empty } = followLists[which]
  const account = await requireActiveUser(ctx, handle)
  const own = `/@${account.handle}`
  const owner = which === 'following' && reader?.userId === account.id ? reader : null
  const { users, total } = await (owner ? listOwn(ctx, owner, 'following', query) : list(ctx, handle, query))
  const path = query.page === 1 ? `${own}/${which}` : `${own}/${which}?page=${query.page}`
  const buttons = owner
    ? ({ handle }: Listed, neighbour: string) =>
        followButton(owner, `${path}#${neighbour}`, handle, 'following')
    : await followButtons(ctx, reader, path, users)
  const description = title(nameOf(account))
  return {
    title: description,
    head: about(ctx, {
      path,
      title: description,
      description,
    }),
    main: html`<h1><a class="author" href="${own}"><bdi>${account.username}</bdi></a></h1>
${tabs(
  'People',
  [
    [own, 'Posts'],
    [`${own}/followers`, 'Followers'],
    [`${own}/following`, 'Following'],
  ],
  `${own}/${which}`,
)}
${users.length > 0 ? userList(users, buttons) : emptyList(empty)}
${pageLinks(`${own}/${which}`, query, total, moreUsers)}`,
  }
}

/** The buttons that answer a request to follow; `next` is the page to return to. */
export const requestButtons = ({ handle }: { handle: string }, { formToken }: Member, next: string) =>
  html`<form class="choice" method="post" action="/requests/${handle}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="next" value="${next}"><button class="primary" name="action" value="accept" aria-label="Approve @${handle}">Approve</button><button name="action" value="reject" aria-label="Reject @${handle}">Reject</button></form>`

/** Who waits for a member's approval. */
export const requestsPage = async (ctx: Publishing, reader: Member, query: PageQuery): Promise<Page> => {
  const { users, total } = await listRequests(ctx, reader, query)
  return {
    title: 'Follow requests',
    main: html`${ownTabs('/requests')}<h1>Follow requests</h1>
<p class="lead">While your posts are protected, people have to ask before they can follow you.</p>
${users.length > 0 ? userList(users, (user, neighbour) => requestButtons(user, reader, `/requests#${neighbour}`)) : emptyList('Nobody is waiting.', 'Requests show up here until you approve or reject them.')}
${pageLinks('/requests', query, total, moreUsers)}`,
  }
}

const hidden = {
  blocked: {
    title: 'Blocked accounts',
    text: 'Neither of you can follow the other, or reply to, like, quote or repost the other’s posts.',
    undo: ['unblock', 'Unblock'],
  },
  muted: {
    title: 'Muted accounts',
    text: 'Their posts do not appear in your home timeline, nor do you get notifications from them. They are not told.',
    undo: ['unmute', 'Unmute'],
  },
} as const

/** Whom a member has blocked or muted. */
export const hiddenUsersPage = async (
  ctx: Publishing,
  reader: Member,
  which: keyof typeof hidden,
  query: PageQuery,
): Promise<Page> => {
  const { title, text, undo } = hidden[which]
  const { users, total } = await listOwn(ctx, reader, which, query)
  return {
    title,
    main: html`${ownTabs(`/${which}`)}<h1>${title}</h1>
<p class="lead">${text}</p>
${users.length > 0 ? userList(users, undoButton(reader, `/${which}`, undo)) : emptyList(`Nobody is ${which}.`, 'You can do this on any profile, under More.')}
${pageLinks(`/${which}`, query, total, moreUsers)}`,
  }
}
