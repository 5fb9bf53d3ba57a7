import { html } from '#platform/http/html.ts'
import { circleFor, maySee } from '../audience.ts'
import type { Publishing } from '../context.ts'
import { nameOf, secureUrl } from '../feeds/feed.ts'
import { statusBetween } from '../graph/graph.ts'
import { listPostsOf } from '../posts/posts.ts'
import { reachable, readProfile } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import type { Page, Reader } from './page.ts'
import { about, type Numbered, numberedPager } from './parts.ts'
import { avatar, postList, verified } from './post.ts'
import { monthOf } from './time.ts'

type FollowStatus = 'following' | 'requested' | 'none'

const followForm = ({ handle }: Profile, reader: NonNullable<Reader>, status: FollowStatus) => {
  const words = { none: 'Follow', requested: 'Cancel request', following: 'Unfollow' }[status]
  return html`<form method="post" action="/@${handle}"><input type="hidden" name="token" value="${reader.formToken}"><button name="action" value="${status === 'none' ? 'follow' : 'unfollow'}"${status === 'none' && html` class="primary"`}>${words}</button></form>`
}

const fact = (n: number, one: string, many: string) =>
  html`<li><b>${n.toLocaleString('en')}</b> ${n === 1 ? one : many}</li>`

const header = (profile: Profile, reader: Reader, status: FollowStatus) => {
  const banner = secureUrl(profile.banner_url)
  return html`<section class="profile"><div class="strip">${banner && html`<img src="${banner}" alt="" referrerpolicy="no-referrer">`}</div><div class="about">
<div class="row">${avatar(profile, 80)}${reader && (reader.userId === profile.id ? html`<a class="button" href="/settings">Edit profile</a>` : followForm(profile, reader, status))}</div>
<div><h1><bdi>${profile.username}</bdi>${verified(profile.is_verified)}</h1><p class="handle">@${profile.handle}${profile.is_protected && ' · protected'}</p></div>
${profile.bio && html`<p class="bio" dir="auto">${profile.bio}</p>`}
<ul class="facts">${profile.location && html`<li dir="auto">${profile.location}</li>`}${profile.website && html`<li><a href="${profile.website}" rel="nofollow ugc noopener noreferrer">${profile.website.replace(/^https?:\/\//, '').replace(/\/$/, '')}</a></li>`}<li>Joined ${monthOf(profile.created_at)}</li></ul>
<ul class="facts">${fact(profile.post_count, 'post', 'posts')}${fact(profile.follower_count, 'follower', 'followers')}${fact(profile.following_count, 'following', 'following')}</ul>
</div></section>`
}

const snippet = (base: string, handle: string) =>
  `<script async src="${base}/widget/feed.js" data-user="${handle}"></script><noscript><a href="${base}/@${handle}">Posts by @${handle}</a></noscript>`

const follow = (base: string, { handle }: Profile) => {
  const feed = `${base}/api/users/${handle}/feed`
  return html`<details class="more"><summary>Follow elsewhere, or embed</summary><div>
<p>Feeds: <a href="${feed}.rss">RSS</a>, <a href="${feed}.atom">Atom</a>, <a href="${feed}.json">JSON</a></p>
<p>Show these posts on your own page:</p><div class="code" data-copy><code>${snippet(base, handle)}</code></div></div></details>`
}

export const profilePage = async (
  ctx: Publishing,
  handle: string,
  { reader, path, query }: { reader: Reader; path: string; query: Numbered },
): Promise<Page> => {
  const base = ctx.config.urls.publishing
  const person = await reachable(ctx, handle)
  const profile = await readProfile(ctx, handle)
  const status = reader ? await statusBetween(ctx, reader, person.id) : 'none'
  const own = `/@${profile.handle}`
  const visible = maySee(person, reader, await circleFor(ctx, reader, [person]))
  const { posts, total } = visible ? await listPostsOf(ctx, reader, handle, query) : { posts: [], total: 0 }
  const empty = visible
    ? html`<p><strong>No posts yet.</strong></p>`
    : html`<p><strong>These posts are protected.</strong></p><p>Only followers whom @${profile.handle} approved can read them.</p>`
  return {
    title: nameOf(profile),
    head: about(base, {
      path: query.page === 1 ? own : `${own}?page=${query.page}`,
      title: nameOf(profile),
      description: profile.bio || `Posts by ${nameOf(profile)}`,
      type: 'profile',
      image: secureUrl(profile.avatar_url),
      ...(profile.is_protected ? {} : { feed: `/api/users/${profile.handle}/feed`, embeddable: true }),
    }),
    main: html`${header(profile, reader, status)}
${!profile.is_protected && follow(base, profile)}
<h2 class="unseen">Posts</h2>
${postList(posts, { now: ctx.clock.now(), reader, path }, empty)}
${visible && numberedPager(own, query, total)}`,
  }
}
