import { notFound } from '#platform/errors.ts'
import { html } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { listLikers, listQuotes, listReposters } from '../interactions/lists.ts'
import { offsetOf } from '../paging.ts'
import { readHistory, readPost } from '../posts/posts.ts'
import type { Post } from '../posts/schema.ts'
import type { Page, Reader } from './page.ts'
import { type Numbered, notForRobots, numberedPager } from './parts.ts'
import { morePeople, people } from './people.ts'
import { postCard, postList } from './post.ts'
import { time } from './time.ts'

type Asked = { reader: Reader; path: string; query: Numbered }

/** A post under the address of its author, and of nobody else. */
export const postAt = async (
  ctx: Publishing,
  reader: Reader,
  { handle, id }: { handle: string; id: number },
) => {
  const post = await readPost(ctx, reader, id)
  return post.author.handle.toLowerCase() === handle.toLowerCase() ? post : notFound('Post not found')
}

const frame = (ctx: Publishing, post: Post, title: string, rest: Page['main']): Page => ({
  title: `${title} · ${nameOf(post.author)}`,
  head: notForRobots,
  main: html`<h1>${title}</h1>
<div class="posts">${postCard(post, { now: ctx.clock.now() })}</div>
${rest}`,
})

const nothing = (words: string) => html`<p><strong>${words}</strong></p>`

const crowds = {
  likes: { list: listLikers, title: 'Likes', empty: 'Nobody has liked this yet.' },
  reposts: { list: listReposters, title: 'Reposts', empty: 'Nobody has reposted this yet.' },
} as const

/** Who liked or reposted a post. */
export const crowdPage = async (
  ctx: Publishing,
  post: Post,
  which: keyof typeof crowds,
  { reader, query }: Asked,
): Promise<Page> => {
  const { list, title, empty } = crowds[which]
  const { users, total } = await list(ctx, reader, post.id, query)
  const shown = users.length > 0 ? people(users) : html`<div class="empty">${nothing(empty)}</div>`
  const own = `/@${post.author.handle}/${post.id}/${which}`
  const more = numberedPager(own, query, total, morePeople)
  return frame(ctx, post, title, html`${shown}\n${more}`)
}

export const quotesPage = async (
  ctx: Publishing,
  post: Post,
  { reader, path, query }: Asked,
): Promise<Page> => {
  const { posts, total } = await listQuotes(ctx, reader, post.id, query)
  const shown = postList(
    posts,
    { now: ctx.clock.now(), reader, path },
    nothing('Nobody has quoted this yet.'),
  )
  const more = numberedPager(`/@${post.author.handle}/${post.id}/quotes`, query, total)
  return frame(ctx, post, 'Quotes', html`${shown}\n${more}`)
}

/** What a post said at each time, as it was written, newest first. */
export const historyPage = async (ctx: Publishing, post: Post, { reader, query }: Asked): Promise<Page> => {
  const now = ctx.clock.now()
  const { history, total } = await readHistory(ctx, reader, post.id, query, 'newest first')
  const before = offsetOf(query)
  const words = (n: number) => (n === 0 ? 'Current' : n === total - 1 ? 'First version' : 'Earlier version')
  const more = numberedPager(`/@${post.author.handle}/${post.id}/history`, query, total)
  return {
    title: `Edit history · ${nameOf(post.author)}`,
    head: notForRobots,
    main: html`<h1>Edit history</h1>
<p class="lead">What this post by <a href="/@${post.author.handle}"><bdi>${post.author.username}</bdi></a> said, as it was written. <a href="/@${post.author.handle}/${post.id}">Back to the post</a></p>
<ol class="posts versions">${history.map(
      ({ content, created_at }, n) =>
        html`<li><p class="context">${words(before + n)} · ${time(created_at, now)}</p><p class="content bio" dir="auto">${content}</p></li>`,
    )}</ol>
${more}`,
  }
}
