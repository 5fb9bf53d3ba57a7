import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import type { CursorQuery } from '../paging.ts'
import { parseTag } from '../posts/text.ts'
import { readExplore, readHome, readTagTimeline } from '../timelines/timelines.ts'
import type { Page } from './page.ts'
import { about, pager, pageUrl } from './parts.ts'
import { postList } from './post.ts'

type PageRequest = { reader: Reader; path: string; query: CursorQuery }

const older = (path: string, next: string | null, { cursor, limit }: CursorQuery) =>
  pager(
    {
      prev: cursor === undefined ? null : pageUrl(path, null, limit),
      next: next && pageUrl(path, `cursor=${next}`, limit),
    },
    { prev: 'Newest', next: 'Older' },
  )

const write = html`<a class="button" href="/compose">Write the first one</a>`

export const explorePage = async (ctx: Publishing, { reader, path, query }: PageRequest): Promise<Page> => {
  const { posts, nextCursor } = await readExplore(ctx, reader, query)
  const description = 'Short messages from everybody here, newest first.'
  return {
    title: 'Explore',
    head: about(ctx.config.urls.publishing, { path: '/', title: 'Explore', description }),
    main: html`<h1>Explore</h1>
<p class="lead">${description}</p>
${postList(posts, { now: ctx.clock.now(), reader, path }, html`<p><strong>Nothing has been posted yet.</strong></p>${write}`)}
${older('/', nextCursor, query)}`,
  }
}

export const homePage = async (ctx: Publishing, { reader, path, query }: PageRequest): Promise<Page> => {
  const { posts, nextCursor } = await readHome(ctx, reader!, query)
  const empty = html`<p><strong>Your timeline is empty.</strong></p><p>Follow people and their posts come here.</p><a class="button" href="/">Explore</a>`
  return {
    title: 'Home',
    main: html`<h1>Home</h1>
${postList(posts, { now: ctx.clock.now(), reader, path }, empty)}
${older('/home', nextCursor, query)}`,
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
    head: about(ctx.config.urls.publishing, {
      path: own,
      title: `#${tag}`,
      description: `Posts tagged #${tag}`,
      feed,
    }),
    main: html`<h1><bdi>#${tag}</bdi></h1>
<p class="lead">Posts with this tag, newest first. <a href="${feed}.rss">RSS feed</a></p>
${postList(posts, { now: ctx.clock.now(), reader, path }, empty)}
${older(own, nextCursor, query)}`,
  }
}
