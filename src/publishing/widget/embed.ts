import { type Html, html, raw } from '#platform/http/html.ts'
import { faviconUrl, mark } from '#platform/http/mark.ts'
import { baseCss } from '#platform/http/style.css.ts'
import { postCss } from '../pages/pages.css.ts'
import { avatar, postList, verified } from '../pages/post.ts'
import type { Post } from '../posts/schema.ts'
import type { Account } from '../profiles/profiles.ts'
import { frameScript } from './script.ts'

export type Theme = 'auto' | 'dark' | 'light'

const embedCss = `${postCss}
html { background: transparent }
body { background: none; font-size: 0.95rem }
.card { border: 1px solid var(--line); border-radius: var(--radius-card); background: var(--surface); overflow: hidden }
.head { display: flex; align-items: center; gap: 12px; padding: 12px 16px; border-bottom: 1px solid var(--line) }
.head a { color: inherit; text-decoration: none; display: grid; line-height: 1.3; min-width: 0; overflow-wrap: anywhere }
.head a span:not(.verified, .unseen) { color: var(--quiet); font-size: var(--size-1) }
.head h1 { font-size: var(--size-3) }
.head a:hover h1 { text-decoration: underline }
.empty h1 { font-size: var(--size-3); color: var(--text) }
.card .posts, .card .empty { border: 0; border-radius: 0 }
.foot { padding: 8px 16px; border-top: 1px solid var(--line); font-size: var(--size-1) }
.foot a { display: inline-flex; gap: 6px; align-items: center; min-height: 28px; color: var(--quiet); text-decoration: none }
.foot a:hover { text-decoration: underline }
.mark { width: 16px; height: 16px; color: var(--accent) }
`

export const embedPolicy = (nonce: string) => ({
  'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors *`,
})

const document = (theme: Theme, title: string, card: Html, nonce: string) =>
  String(html`<!doctype html>
<html lang="en" data-service="publishing"${theme !== 'auto' && html` data-theme="${theme}"`}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base target="_blank">
<link rel="icon" href="${faviconUrl('publishing')}">
<title>${title}</title>
<style nonce="${nonce}">${raw(baseCss + embedCss)}</style></head>
<body><main class="card">${card}</main>
<script nonce="${nonce}">${raw(frameScript)}</script></body></html>
`)

const foot = (href: string, words: string) =>
  html`<footer class="foot"><a href="${href}" rel="noopener">${mark}${words}</a></footer>`

type Embed = {
  base: string
  theme: Theme
  account: Account
  posts: readonly Post[]
  now: Date
  nonce: string
}

export const embedPage = ({ base, theme, account, posts, now, nonce }: Embed) => {
  const profile = `${base}/@${account.handle}`
  const empty = html`<p><strong>Nothing here yet.</strong></p><p>Posts by @${account.handle} will show up here.</p>`
  const card = html`<header class="head">${avatar(account)}<a href="${profile}" rel="noopener"><h1><bdi>${account.username}</bdi>${verified(account.is_verified)}</h1><span>@${account.handle}</span></a></header>${postList(posts, { now }, empty)}${foot(profile, 'More on Trivet')}`
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

export const embedNote = (base: string, theme: Theme, status: number, nonce: string) => {
  const { title, text } = words[status] ?? otherwise
  const card = html`<div class="empty"><h1>${title}</h1><p>${text}</p></div>${foot(base, 'Trivet')}`
  return document(theme, title, card, nonce)
}
