import { html } from '#platform/web/html.ts'
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
  ['/settings', 'Profile'],
  ['/settings/account', 'Account'],
  ['/settings/sessions', 'Sessions'],
  ['/keys', 'Keys'],
  ['/requests', 'Requests'],
  ['/blocked', 'Blocked'],
  ['/muted', 'Muted'],
] as const

/** The pages of a member's own account. */
export const isOwnPage = (path: string) =>
  ['/settings/pictures', '/settings/delete', '/settings/password'].includes(path) ||
  ownPages.some(([own]) => own === path)
export const ownTabs = (current: (typeof ownPages)[number][0]) => tabs('Settings', ownPages, current)

export const notForRobots = html`<meta name="robots" content="noindex">`

/** What has been done. */
export const good = (message: string | undefined) =>
  message ? html`<div class="note good" role="status"><p>${message}</p></div>` : null

export const note = (message: string | null | undefined) =>
  message ? html`<p class="note" role="alert">${message}</p>` : null
