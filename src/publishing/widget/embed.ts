import { permissionsPolicy } from '#platform/http/response/page-headers.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { type Html, html, raw } from '#platform/web/html.ts'
import { mark } from '#platform/web/mark.ts'
import { avatar, verified } from '../pages/avatar.ts'
import { postList } from '../pages/post.ts'
import type { Post } from '../posts/schema.ts'
import type { Account } from '../profiles/profiles.ts'
import { onlyText } from '../visible-text.ts'

export type Theme = 'auto' | 'dark' | 'light'

const style = lazyAsset(new URL('./embed.css', import.meta.url))
const script = lazyAsset(new URL('./frame.browser.ts', import.meta.url))

/** A sandboxed page is of no origin, so that our own is named. */
export const embedPolicy = (base: string, nonce: string) => ({
  'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src ${new URL(base).origin} https: data:; base-uri 'none'; form-action 'none'; frame-ancestors *`,
  'permissions-policy': permissionsPolicy,
})

const document = (theme: Theme, title: string, card: Html, nonce: string) =>
  onlyText(
    String(html`<!doctype html>
<html lang="en" data-service="publishing"${theme !== 'auto' && html` data-theme="${theme}"`}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base target="_blank">
<title>${title}</title>
<style nonce="${nonce}">${raw(style())}</style></head>
<body><main class="card">${card}</main>
<script nonce="${nonce}">${raw(script())}</script></body></html>
`),
  )

const foot = (href: string, words: string) =>
  html`<footer class="foot"><a href="${href}" rel="noopener">${mark}${words}</a></footer>`

type Embed = {
  base: string
  /** What the instance is called. */
  site: string
  theme: Theme
  account: Account
  posts: readonly Post[]
  now: Date
  nonce: string
}

export const embedPage = ({ base, site, theme, account, posts, now, nonce }: Embed) => {
  const profile = `${base}/@${account.handle}`
  const empty = html`<p><strong>Nothing here yet.</strong></p><p>Posts by @${account.handle} will show up here.</p>`
  const card = html`<header class="head">${avatar(account)}<a href="${profile}" rel="noopener"><h1><bdi>${account.username}</bdi>${verified(account.is_verified)}</h1><span>@${account.handle}</span></a></header>${postList(posts, { now, ownerId: account.id }, empty)}${foot(profile, `More on ${site}`)}`
  return document(theme, `Posts by @${account.handle}`, card, nonce)
}

const words: Record<number, { title: string; text: string }> = {
  403: {
    title: 'These posts are not public.',
    text: 'Their author shares them with approved followers only, or is not available.',
  },
  404: {
    title: 'There is no such account.',
    text: 'It may have been closed, or the handle is not quite right.',
  },
  422: {
    title: 'This widget is not set up correctly.',
    text: 'The count is 1 to 20, the theme auto, dark or light.',
  },
  429: { title: 'Too many visits just now.', text: 'Please look again in a few minutes.' },
}
const otherwise = { title: 'This feed is not available just now.', text: 'Please look again later.' }

export const embedNote = (base: string, site: string, theme: Theme, status: number, nonce: string) => {
  const { title, text } = words[status] ?? otherwise
  const card = html`<div class="empty"><h1>${title}</h1><p>${text}</p></div>${foot(base, site)}`
  return document(theme, title, card, nonce)
}
