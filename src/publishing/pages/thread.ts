import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import { nameOf, secureUrl } from '../feeds/feed.ts'
import { plainText, shorten, titleOf } from '../feeds/text.ts'
import { listReplies } from '../interactions/lists.ts'
import type { PageQuery } from '../paging.ts'
import { renderPosts } from '../posts/render.ts'
import type { Post } from '../posts/schema.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { signInFor } from './actions.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { pageLinks } from './parts.ts'
import { postCard, postList } from './post.ts'
import { postData } from './structured-data.ts'

const maxAncestors = 20

/** The posts above a reply, oldest first, up to the first that the reader cannot see. */
const ancestorsOf = async (ctx: Publishing, reader: Reader, post: Post): Promise<Post[]> => {
  const found: Post[] = []
  let parent = post.parent_id
  while (parent !== null && found.length < maxAncestors) {
    const [above]: Post[] = await renderPosts(ctx, reader, [parent])
    if (!above) break
    found.unshift(above)
    parent = above.parent_id
  }
  return found
}

export const threadPage = async (
  ctx: Publishing,
  post: Post,
  { reader, path, query }: { reader: Reader; path: string; query: PageQuery },
): Promise<Page> => {
  const base = ctx.config.urls.publishing
  const now = ctx.clock.now()
  const { is_protected } = await requireActiveUser(ctx, post.author.handle)
  const ancestors = await ancestorsOf(ctx, reader, post)
  const { posts: replies, total } = await listReplies(ctx, reader, post.id, query)
  const isCut = (ancestors[0] ?? post).parent_id !== null
  const own = `/@${post.author.handle}/${post.id}`
  const title = `${nameOf(post.author)}: ${titleOf(post)}`
  const shown = { now, reader, path, inThread: true }
  const original = post.reposted_post ?? post
  const metadata = about(ctx, {
    path: own,
    title: nameOf(post.author),
    description: shorten(plainText(original), 280),
    type: 'article',
    image: secureUrl(post.author.avatar_url),
    imageAlt: `Picture of ${nameOf(post.author)}`,
    properties: [
      ['article:published_time', original.created_at],
      ['article:modified_time', original.edited_at],
      ['article:author', `${base}/@${original.author.handle}`],
      ...original.hashtags.map((tag) => ['article:tag', tag] as const),
    ],
    ...(is_protected ? {} : { feed: `/api/users/${post.author.handle}/feed`, embeddable: true }),
  })
  return {
    title: shorten(title, 80),
    head: html`${metadata}${!is_protected && postData(base, post)}`,
    main: html`<h1 class="unseen">Post by ${nameOf(post.author)}</h1>
<div class="posts">${isCut && html`<p class="post"><span class="context gone">An earlier post is not available.</span></p>`}${ancestors.map((each) => postCard(each, shown))}${postCard(post, { ...shown, isMain: true })}</div>
${total > 0 && html`<h2 id="replies">Replies</h2>\n${postList(replies, shown, html``)}`}
${pageLinks(own, query, total, { prev: 'Earlier replies', next: 'More replies' })}
${!reader && html`<p class="lead"><a href="${signInFor(`/compose?reply=${post.id}`)}">Sign in</a> to reply.</p>`}`,
  }
}
