import { type Html, html } from '#platform/web/html.ts'
import { defaultLimit, type PageQuery } from '../paging.ts'

/** Links to the previous and the next page of a list. */
export const pager = (
  links: { prev?: string | null; next?: string | null },
  words = { prev: 'Newer', next: 'Older' },
) =>
  (links.prev || links.next) &&
  html`<nav class="pages" aria-label="More">${links.prev && html`<a rel="prev" href="${links.prev}">${words.prev}</a>`}${links.next && html`<a rel="next" href="${links.next}">${words.next}</a>`}</nav>`

/** The address of another page of a list, with the same number of entries per page. */
export const pageUrl = (path: string, position: string | null, limit: number) => {
  const query = [position, limit === defaultLimit ? null : `limit=${limit}`].filter((each) => each !== null)
  return query.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`
}

export const pageLinks = (
  path: string,
  { page, limit }: PageQuery,
  total: number,
  words?: { prev: string; next: string },
) => {
  const at = (n: number) => pageUrl(path, n === 1 ? null : `page=${n}`, limit)
  return pager(
    { prev: page > 1 ? at(page - 1) : null, next: page * limit < total ? at(page + 1) : null },
    words,
  )
}

/** Links between pages that belong together. */
export const tabs = (label: string, links: readonly (readonly [string, string])[], current: string) =>
  html`<nav class="tabs" aria-label="${label}">${links.map(([href, name]) => html`<a href="${href}"${href === current && html` aria-current="page"`}>${name}</a>`)}</nav>`

const ownPages = [
  ['/settings', 'Edit profile'],
  ['/requests', 'Requests'],
  ['/blocked', 'Blocked'],
  ['/muted', 'Muted'],
  ['/keys', 'Keys'],
  ['/settings/password', 'Password'],
  ['/settings/delete', 'Delete account'],
] as const

/** The pages of a member's own account. */
export const isOwnPage = (path: string) =>
  path === '/settings/pictures' || ownPages.some(([own]) => own === path)
export const ownTabs = (current: (typeof ownPages)[number][0]) => tabs('Settings', ownPages, current)

/** Metadata of a page: its canonical address, its preview, its feeds. */
export const about = (
  base: string,
  page: {
    path: string
    title: string
    description: string
    type?: string
    image?: string | null
    feed?: string
    embeddable?: boolean
  },
): Html => {
  const url = base + page.path
  const feeds = {
    'application/rss+xml': 'rss',
    'application/atom+xml': 'atom',
    'application/feed+json': 'json',
  }
  return html`<link rel="canonical" href="${url}">
<meta name="description" content="${page.description}">
<meta property="og:site_name" content="Trivet">
<meta property="og:type" content="${page.type ?? 'website'}">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
${page.image && html`<meta property="og:image" content="${page.image}">\n`}<meta name="twitter:card" content="summary">
${
  page.feed !== undefined &&
  Object.entries(feeds).map(
    ([type, extension]) =>
      html`<link rel="alternate" type="${type}" title="${page.title} (${extension.toUpperCase()})" href="${base}${page.feed}.${extension}">\n`,
  )
}${
  page.embeddable &&
  ['application/json', 'text/xml'].map(
    (type) =>
      html`<link rel="alternate" type="${type}+oembed" title="${page.title}" href="${base}/oembed?url=${encodeURIComponent(url)}&amp;format=${type.split('/')[1]}">\n`,
  )
}`
}

export const notForRobots = html`<meta name="robots" content="noindex">`

export const note = (message: string | null | undefined) =>
  message ? html`<p class="note" role="alert">${message}</p>` : null
