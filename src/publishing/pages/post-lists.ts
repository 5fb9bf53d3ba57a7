import { notFound } from '#platform/errors.ts'
import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import { nameOf } from '../feeds/feed.ts'
import { listLikers, listQuotes, listReposters } from '../interactions/lists.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { readHistory, readPost } from '../posts/posts.ts'
import type { Post } from '../posts/schema.ts'
import { followButtons } from './follow-buttons.ts'
import type { Page } from './page.ts'
import { notForRobots, pageLinks } from './parts.ts'
import { postCard, postListWithParents } from './post.ts'
import { time } from './time.ts'
import { moreUsers, userList } from './user-lists.ts'

type PageRequest = { reader: Reader; path: string; query: PageQuery }

/** A post; not found under the handle of anybody but its author. */
export const postAt = async (
  ctx: Publishing,
  reader: Reader,
  { handle, id }: { handle: string; id: number },
) => {
  const post = await readPost(ctx, reader, id)
  return post.author.handle.toLowerCase() === handle.toLowerCase() ? post : notFound('Post not found')
}

const withPost = (ctx: Publishing, post: Post, title: string, rest: Page['main']): Page => ({
  title: `${title} · ${nameOf(post.author)}`,
  head: notForRobots,
  main: html`<h1>${title}</h1>
<div class="posts">${postCard(post, { now: ctx.clock.now() })}</div>
${rest}`,
})

const nothing = (words: string) => html`<p><strong>${words}</strong></p>`

const userLists = {
  likes: { list: listLikers, title: 'Likes', empty: 'No likes yet.' },
  reposts: { list: listReposters, title: 'Reposts', empty: 'No reposts yet.' },
} as const

/** Who liked or reposted a post. */
export const postUsersPage = async (
  ctx: Publishing,
  post: Post,
  which: keyof typeof userLists,
  { reader, path, query }: PageRequest,
): Promise<Page> => {
  const { list, title, empty } = userLists[which]
  const { users, total } = await list(ctx, reader, post.id, query)
  const buttons = await followButtons(ctx, reader, path, users)
  const shown = users.length > 0 ? userList(users, buttons) : html`<div class="empty">${nothing(empty)}</div>`
  const own = `/@${post.author.handle}/${post.id}/${which}`
  const more = pageLinks(own, query, total, moreUsers)
  return withPost(ctx, post, title, html`${shown}\n${more}`)
}

export const quotesPage = async (
  ctx: Publishing,
  post: Post,
  { reader, path, query }: PageRequest,
): Promise<Page> => {
  const { posts, total } = await listQuotes(ctx, reader, post.id, query)
  const shown = await postListWithParents(
    ctx,
    posts,
    { now: ctx.clock.now(), reader, path },
    nothing('No quotes yet.'),
  )
  const more = pageLinks(`/@${post.author.handle}/${post.id}/quotes`, query, total)
  return withPost(ctx, post, 'Quotes', html`${shown}\n${more}`)
}

/** All versions of a post as they were written, newest first. */
export const historyPage = async (
  ctx: Publishing,
  post: Post,
  { reader, query }: PageRequest,
): Promise<Page> => {
  const now = ctx.clock.now()
  const { history, total } = await readHistory(ctx, reader, post.id, {
    ...query,
    newestFirst: true,
  })
  const { offset } = sliceOf(query)
  const words = (n: number) => (n === 0 ? 'Current' : n === total - 1 ? 'First version' : 'Earlier version')
  const more = pageLinks(`/@${post.author.handle}/${post.id}/history`, query, total)
  return {
    title: `Edit history · ${nameOf(post.author)}`,
    head: notForRobots,
    main: html`<h1>Edit history</h1>
<p class="lead">All versions of this post by <a href="/@${post.author.handle}"><bdi>${post.author.username}</bdi></a>, as they were written. <a href="/@${post.author.handle}/${post.id}">Back to the post</a></p>
<ol class="posts versions">${history.map(
      ({ content, created_at }, n) =>
        html`<li><p class="context">${words(offset + n)} · ${time(created_at, now)}</p><p class="content bio" dir="auto">${content}</p></li>`,
    )}</ol>
${more}`,
  }
}
