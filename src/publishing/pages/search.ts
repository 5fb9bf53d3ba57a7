import { html } from '#platform/web/html.ts'
import type { Publishing, Reader } from '../context.ts'
import type { Profile } from '../profiles/schema.ts'
import { type SearchQuery, search } from '../search/search.ts'
import { counted } from './actions.ts'
import { highlighter } from './highlight.ts'
import { icon } from './icons.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { notForRobots, pageLinks, tabs } from './parts.ts'
import { postListWithParents } from './post.ts'
import { userList } from './user-lists.ts'

const description = 'Search for words in posts, for people, or for tags.'

const form = (q: string, type: string) =>
  html`<form class="search" action="/search"><input type="search" name="q" value="${q}" aria-label="Words, names or tags" placeholder="Words, names or tags" maxlength="280" required${!q && html` autofocus`}><input type="hidden" name="type" value="${type}"><button class="primary">${icon('search')}Search</button></form>`

const nouns = { post: ['post'], user: ['person', 'people'], hashtag: ['tag'] } as const
const found = (total: number, type: keyof typeof nouns) => {
  const [one, many] = nouns[type]
  return counted(total, one, many)
}

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
  const head = (title: string, at: string, feeds: { feed?: string; feedQuery?: string } = {}) =>
    html`${notForRobots}\n${about(ctx, { path: at, title, description, ...feeds })}`
  if (!q?.trim())
    return {
      title: 'Search',
      head: head('Search', '/search'),
      main: html`<h1>Search</h1>${form('', 'post')}<p class="lead">${description}</p>`,
    }
  const { data, total } = await search(ctx, reader, { ...query, q })
  const address = (kind: string) => `/search?q=${encodeURIComponent(q)}&type=${kind}`
  const { users = [], hashtags: tags = [] } = data as {
    users?: Profile[]
    hashtags?: { tag: string; post_count: number }[]
  }
  const empty = html`<p><strong>Nothing found.</strong></p><p>Try fewer or different words.</p>`
  const shown = { now: ctx.clock.now(), reader, path, highlight: highlighter(q) }
  const feeds = { feed: '/api/search/feed', feedQuery: `?q=${encodeURIComponent(q)}` }
  const showsPosts = type !== 'user' || users.length === 0
  return {
    title: `${q} · Search`,
    head: head(`${q} · Search`, address(type), type === 'post' ? feeds : {}),
    main: html`<h1>Search</h1>${form(q, type)}
${tabs(
  'Kind of results',
  Object.entries(kinds).map(([kind, name]) => [address(kind), name]),
  address(type),
)}
<p class="lead" role="status">${found(total, type)} for “<bdi>${q}</bdi>”</p>
${type === 'user' && users.length > 0 ? userList(users) : null}${type === 'hashtag' && tags.length > 0 && hashtags(tags)}${showsPosts && (await postListWithParents(ctx, data.posts, shown, empty))}
${pageLinks(address(type), query, total, { prev: 'Back', next: 'More' })}`,
  }
}
