import { html } from '#platform/web/html.ts'
import type { Member, Publishing, Reader } from '../context.ts'
import type { CursorQuery } from '../paging.ts'
import type { Post } from '../posts/schema.ts'
import { parseTag } from '../posts/text.ts'
import { readExplore, readHome, readTagTimeline } from '../timelines/timelines.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { pager, pageUrl } from './parts.ts'
import { postListWithParents } from './post.ts'
import { sideColumn } from './side.ts'

type PageRequest = { reader: Reader; path: string; query: CursorQuery }

const older = (path: string, next: string | null, { cursor, limit }: CursorQuery) =>
  pager(
    {
      prev: cursor === undefined ? null : pageUrl(path, null, limit),
      next: next && pageUrl(path, `cursor=${next}`, limit),
    },
    { prev: 'Newest', next: 'Older' },
  )

const write = html`<a class="button primary" href="/compose">Write the first post</a>`

/** Posts of one conversation stand together, in the order in which they were written, where the newest of them would be. */
const byConversation = (posts: readonly Post[]) =>
  [...Map.groupBy(posts, ({ root_id, id }) => root_id ?? id).values()].flatMap((together) =>
    together.toReversed(),
  )

export const explorePage = async (ctx: Publishing, { reader, path, query }: PageRequest): Promise<Page> => {
  const { posts, nextCursor } = await readExplore(ctx, reader, query)
  const description = 'Posts from everyone, newest first.'
  return {
    title: 'Explore',
    head: about(ctx, { path: '/', title: 'Explore', description, feed: '/feed' }),
    main: html`<h1>Explore</h1>
<p class="lead">${description} <a href="/feed.rss">RSS feed</a></p>
${await postListWithParents(ctx, byConversation(posts), { now: ctx.clock.now(), reader, path }, html`<p><strong>Nothing has been posted yet.</strong></p>${write}`)}
${older('/', nextCursor, query)}
${await sideColumn(ctx, { posts, reader, path, withPeople: true })}`,
  }
}

/** Three things to do for somebody who has just arrived. */
const welcome = ({ handle }: Member) =>
  html`<p><strong>Welcome, @${handle}.</strong></p><p>Posts by people you follow show up here. To get started:</p><ul class="steps"><li><a href="/">Find people to follow</a><small>Explore what others are posting.</small></li><li><a href="/compose">Write your first post</a><small>Say hello, in up to 280 characters.</small></li><li><a href="/settings">Complete your profile</a><small>A few words about you help others to find you.</small></li></ul>`

export const homePage = async (ctx: Publishing, { reader, path, query }: PageRequest): Promise<Page> => {
  const { posts, nextCursor } = await readHome(ctx, reader!, query)
  const empty = query.cursor === undefined ? welcome(reader!) : html`<p><strong>No older posts.</strong></p>`
  return {
    title: 'Home',
    main: html`<h1>Home</h1>
${await postListWithParents(ctx, posts, { now: ctx.clock.now(), reader, path }, empty)}
${older('/home', nextCursor, query)}
${await sideColumn(ctx, { posts, reader, path, withPeople: false })}`,
  }
}

export const tagPage = async (
  ctx: Publishing,
  text: string,
  { reader, path, query }: PageRequest,
): Promise<Page> => {
  const tag = parseTag(text)
  const own = `/tags/${encodeURIComponent(tag)}`
  const feed = `/api/hashtags/${encodeURIComponent(tag)}/feed`
  const { posts, nextCursor } = await readTagTimeline(ctx, reader, tag, query)
  const empty = html`<p><strong>Nobody has used this tag yet.</strong></p><a class="button" href="/">Explore</a>`
  return {
    title: `#${tag}`,
    head: about(ctx, {
      path: own,
      title: `#${tag}`,
      description: `Posts tagged #${tag}`,
      feed,
    }),
    main: html`<h1><bdi>#${tag}</bdi></h1>
<p class="lead">Posts with this tag, newest first. <a href="${feed}.rss">RSS feed</a></p>
${await postListWithParents(ctx, posts, { now: ctx.clock.now(), reader, path }, empty)}
${older(own, nextCursor, query)}
${await sideColumn(ctx, { posts, reader, path, withPeople: true })}`,
  }
}
