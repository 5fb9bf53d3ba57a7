import { html } from '#platform/web/html.ts'
import type { Member, Publishing, Reader } from '../context.ts'
import { nameOf, secureUrl } from '../feeds/feed.ts'
import { type Relationship, relationshipTo } from '../graph/graph.ts'
import { listRequests } from '../graph/lists.ts'
import type { PageQuery } from '../paging.ts'
import { listPostsOf } from '../posts/posts.ts'
import { maySee, relationsFor } from '../posts/visibility.ts'
import { readProfile, requireActiveUser } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import { signInFor } from './actions.ts'
import { avatar, verified } from './avatar.ts'
import { followActions } from './follow-buttons.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { pageLinks } from './parts.ts'
import { bannerStrip } from './pictures.ts'
import { postListWithParents } from './post.ts'
import { profileData } from './structured-data.ts'
import { monthOf } from './time.ts'

/** The buttons for an account; those that are seldom needed are in a menu. */
const relationForm = (
  { handle, is_protected }: Profile,
  { formToken }: Member,
  { status, blocks, mutes }: Relationship,
) => {
  const [action, words] = blocks ? ['unblock', 'Unblock'] : followActions[status]
  const label = action === 'follow' && is_protected ? 'Request to follow' : words
  // Unblocking, and following somebody whose posts are protected, change more than this part of the page.
  const swap = html` data-swap=".profile"`
  const swapFollow = !blocks && !is_protected && html`${swap} data-key="follow"`
  const blocking = html`<details class="step"><summary>Block</summary><button class="danger" name="action" value="block">Block @${handle}</button></details>`
  const seldom = html`<details class="menu"><summary>More</summary><div><button name="action" value="${mutes ? 'unmute' : 'mute'}"${swap}>${mutes ? 'Unmute' : 'Mute'}</button>${!blocks && blocking}</div></details>`
  return html`<form class="choice" method="post" action="/@${handle}"><input type="hidden" name="token" value="${formToken}"><button name="action" value="${action}"${swapFollow}${action === 'follow' && html` class="primary"`}>${label}</button>${seldom}</form>`
}

const relationNote = (relation: Relationship | null) => {
  const words = relation?.blocks ? 'You blocked this account.' : relation?.mutes && 'You muted this account.'
  return words && html`<p class="standing">${words}</p>`
}

const waitingFor = async (ctx: Publishing, reader: Member) =>
  (await listRequests(ctx, reader, { page: 1, limit: 1 })).total

const requests = (waiting: number) =>
  waiting > 0 &&
  html`<p class="note good"><a href="/requests">${waiting.toLocaleString('en')} follow request${waiting > 1 && 's'}</a></p>`

const fact = (n: number, one: string, many: string, href?: string) => {
  const words = html`<b>${n.toLocaleString('en')}</b> ${n === 1 ? one : many}`
  return html`<li>${href ? html`<a href="${href}">${words}</a>` : words}</li>`
}

/** What a reader can do about an account: its owner edits it, others follow it, visitors sign in first. */
const choices = (profile: Profile, reader: Reader, relation: Relationship | null) => {
  if (!reader)
    return html`<a class="button primary" rel="nofollow" href="${signInFor(`/@${profile.handle}`)}">${profile.is_protected ? 'Request to follow' : 'Follow'}</a>`
  return relation
    ? relationForm(profile, reader, relation)
    : html`<a class="button" href="/settings">Edit profile</a>`
}

const header = (ctx: Publishing, profile: Profile, reader: Reader, relation: Relationship | null) =>
  html`<section class="profile h-card">${bannerStrip(profile)}<div class="about">
<div class="row">${avatar(profile, 80)}${choices(profile, reader, relation)}</div>
<div><h1><bdi class="p-name">${profile.username}</bdi>${verified(profile.is_verified)}</h1><p class="handle"><data class="u-uid u-url" value="/@${profile.handle}">@${profile.handle}</data>${profile.is_protected && ' · protected'}</p>${relationNote(relation)}</div>
${profile.bio && html`<p class="bio p-note" dir="auto" lang="${profile.language ?? ctx.instance.current.language}">${profile.bio}</p>`}
<ul class="facts">${profile.location && html`<li class="p-locality" dir="auto">${profile.location}</li>`}${profile.website && html`<li><a class="u-url" href="${profile.website}" rel="me nofollow ugc noopener noreferrer">${profile.website.replace(/^https?:\/\//, '').replace(/\/$/, '')}</a></li>`}<li>Joined ${monthOf(profile.created_at)}</li></ul>
<ul class="facts">${fact(profile.post_count, 'post', 'posts')}${fact(profile.follower_count, 'follower', 'followers', `/@${profile.handle}/followers`)}${fact(profile.following_count, 'following', 'following', `/@${profile.handle}/following`)}</ul>
</div></section>`

/** The part of a profile that changes when somebody follows or mutes it. */
export const profileHeader = async (ctx: Publishing, reader: Member, handle: string) => {
  const profile = await readProfile(ctx, handle)
  return header(ctx, profile, reader, await relationshipTo(ctx, reader, profile.id))
}

const snippet = (base: string, handle: string) =>
  `<script async src="${base}/widget/feed.js" data-user="${handle}"></script><noscript><a href="${base}/@${handle}">Posts by @${handle}</a></noscript>`

const follow = (base: string, { handle }: Profile) => {
  const feed = `${base}/api/users/${handle}/feed`
  return html`<details class="more"><summary>Feeds and embed</summary><div>
<p>Feeds: <a href="${feed}.rss">RSS</a>, <a href="${feed}.atom">Atom</a>, <a href="${feed}.json">JSON</a></p>
<p>Show these posts on your own website:</p><div class="code" data-copy><code>${snippet(base, handle)}</code></div></div></details>`
}

export const profilePage = async (
  ctx: Publishing,
  handle: string,
  { reader, path, query }: { reader: Reader; path: string; query: PageQuery },
): Promise<Page> => {
  const base = ctx.config.urls.publishing
  const account = await requireActiveUser(ctx, handle)
  const profile = await readProfile(ctx, handle)
  const isOwn = reader?.userId === account.id
  const relation = reader && !isOwn ? await relationshipTo(ctx, reader, account.id) : null
  const waiting = isOwn && profile.is_protected ? await waitingFor(ctx, reader) : 0
  const own = `/@${profile.handle}`
  const visible = maySee(account, reader, await relationsFor(ctx, reader, [account]))
  const { posts, total } = visible ? await listPostsOf(ctx, reader, handle, query) : { posts: [], total: 0 }
  const empty = visible
    ? html`<p><strong>No posts yet.</strong></p>${isOwn && html`<a class="button primary" href="/compose">Write your first post</a>`}`
    : html`<p><strong>These posts are protected.</strong></p><p>Only followers approved by @${profile.handle} can read them.</p>`
  const metadata = about(ctx, {
    path: query.page === 1 ? own : `${own}?page=${query.page}`,
    title: nameOf(profile),
    description: profile.bio || `Posts by ${nameOf(profile)}`,
    type: 'profile',
    image: secureUrl(profile.avatar_url),
    imageAlt: `Picture of ${nameOf(profile)}`,
    properties: [['profile:username', profile.handle]],
    ...(profile.is_protected ? {} : { feed: `/api/users/${profile.handle}/feed`, embeddable: true }),
  })
  return {
    title: nameOf(profile),
    head: html`${metadata}${query.page === 1 && profileData(base, profile)}`,
    main: html`${header(ctx, profile, reader, relation)}${requests(waiting)}
${!profile.is_protected && follow(base, profile)}
<h2 class="unseen">Posts</h2>
${await postListWithParents(ctx, posts, { now: ctx.clock.now(), reader, path }, empty)}
${visible && pageLinks(own, query, total)}`,
  }
}
