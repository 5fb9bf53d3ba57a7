import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import type { Profile } from '../profiles/schema.ts'
import { type SearchQuery, search } from '../search/search.ts'
import type { Page } from './page.ts'
import { about, notForRobots, pageLinks, tabs } from './parts.ts'
import { postList } from './post.ts'
import { userList } from './user-lists.ts'

const kinds = { post: 'Posts', user: 'People', hashtag: 'Tags' } as const

const hashtags = (tags: readonly { tag: string; post_count: number }[]) =>
  html`<ul class="tags">${tags.map(
    ({ tag, post_count }) =>
      html`<li><a class="button" href="/tags/${encodeURIComponent(tag)}"><bdi>#${tag}</bdi>&nbsp;<span class="gone">${post_count}</span></a></li>`,
  )}</ul>`

export const searchPage = async (
  ctx: Publishing,
  {
    reader,
    path,
    query,
  }: { reader: Reader; path: string; query: Partial<SearchQuery> & Omit<SearchQuery, 'q'> },
): Promise<Page> => {
  const { q, type } = query
  const head = (title: string, at: string) => {
    const description = 'Words or parts of words in posts, names of people, or tags.'
    return html`${notForRobots}\n${about(ctx.config.urls.publishing, { path: at, title, description })}`
  }
  if (!q?.trim())
    return {
      title: 'Search',
      head: head('Search', '/search'),
      main: html`<h1>Search</h1><div class="empty"><p><strong>What are you looking for?</strong></p><p>Words or parts of words in posts, names of people, or tags.</p></div>`,
    }
  const { data, total } = await search(ctx, reader, { ...query, q })
  const address = (kind: string) => `/search?q=${encodeURIComponent(q)}&type=${kind}`
  const { users = [], hashtags: tags = [] } = data as {
    users?: Profile[]
    hashtags?: { tag: string; post_count: number }[]
  }
  const empty = html`<p><strong>Nothing found.</strong></p><p>Try fewer or other words.</p>`
  const shown = { now: ctx.clock.now(), reader, path }
  return {
    title: `${q} · Search`,
    head: head(`${q} · Search`, address(type)),
    main: html`<h1>Search: <bdi>${q}</bdi></h1>
${tabs(
  'Kind of results',
  Object.entries(kinds).map(([kind, name]) => [address(kind), name]),
  address(type),
)}
${type === 'user' && users.length > 0 ? userList(users) : null}${type === 'hashtag' && tags.length > 0 && hashtags(tags)}${(type !== 'user' || users.length === 0) && postList(data.posts, shown, empty)}
${pageLinks(address(type), query, total, { prev: 'Back', next: 'More' })}`,
  }
}
