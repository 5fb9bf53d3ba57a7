import { accentsOf } from '#platform/instance/accent.ts'
import type { Instance } from '#platform/instance/settings.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { iconLinks } from '#platform/web/head.ts'
import { type Html, type HtmlValue, html, raw } from '#platform/web/html.ts'
import { mark } from '#platform/web/mark.ts'
import type { Member, Reader } from '../context.ts'
import { legalPages, logoPath } from '../instance/instance.ts'
import { onlyText } from '../visible-text.ts'
import { avatar } from './avatar.ts'
import { bell } from './bell.ts'
import { type IconName, icon } from './icons.ts'
import { isOwnPage } from './parts.ts'

const style = lazyAsset(new URL('./style/pages.css', import.meta.url))
const script = lazyAsset(new URL('./pages.browser.ts', import.meta.url))

export type Page = {
  title: string
  /** Additional tags for the head. */
  head?: HtmlValue
  main: Html
}

export type Surroundings = { reader: Reader; path: string; query?: string; instance: Instance }

export const newNonce = () => crypto.randomUUID()

export const pageHeaders = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  // Forms have to say where they come from, but only to us.
  'referrer-policy': 'same-origin',
  'content-security-policy':
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src 'self' https: data:; manifest-src 'self'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
})

const here = (path: string, target: string) => path.split('?')[0] === target && raw(' aria-current="page"')

const tab = (path: string, target: string, name: IconName, label: string, kind = '') =>
  html`<a${kind && html` class="${kind}"`} href="${target}"${here(path, target)}>${icon(name)}<span>${label}</span></a>`

/** The account menu of whoever is signed in. */
const account = (member: Member, path: string) => {
  const { handle, formToken } = member
  return html`<details class="menu account"><summary aria-label="Your account, @${handle}">${avatar(member)}</summary><div><a href="/@${handle}"><b>@${handle}</b></a><a href="/settings"${isOwnPage(path.split('?')[0]!) && raw(' aria-current="true"')}>Settings</a><form method="post" action="/sign-out"><input type="hidden" name="token" value="${formToken}"><button>Sign out</button></form></div></details>`
}

/** The main pages: in the header, and on phones in a bar at the bottom. */
const member = ({ unread }: Member, path: string) =>
  html`<nav class="bar" aria-label="Main">${tab(path, '/home', 'home', 'Home')}${tab(path, '/', 'explore', 'Explore')}${tab(path, '/compose', 'edit', 'Write', 'primary')}${tab(path, '/search', 'search', 'Search', 'phone')}${bell(path, unread)}</nav>`

const stranger = (path: string) => {
  const signing = /^\/sign-(in|up)/.test(path)
  const next = signing || path === '/' ? '' : `?next=${encodeURIComponent(path)}`
  return html`<nav aria-label="Main">${tab(path, '/', 'explore', 'Explore')}${tab(path, '/search', 'search', 'Search', 'phone')}<a href="/sign-in${next}"${here(path, '/sign-in')}>Sign in</a><a class="primary" href="/sign-up${next}"${here(path, '/sign-up')}>Create account</a></nav>`
}

const brand = ({ name, logo }: Instance) =>
  html`<a class="brand" href="/" aria-label="${name}, explore">${logo ? html`<img class="mark" src="${logoPath(logo)}" alt="" height="28">` : mark}<span>${name}</span></a>`

const banner = ({ reader, path, query, instance }: Surroundings) => html`<header class="top"><div>
${brand(instance)}
<form class="find" role="search" action="/search"><input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search posts, people and tags" maxlength="280" required><button aria-label="Search">${icon('search')}</button></form>
${reader ? html`${member(reader, path)}${account(reader, path)}` : stranger(path)}
</div></header>`

const footer = (instance: Instance) =>
  html`<footer class="bottom"><a href="/">Explore</a><a href="/about">About</a>${legalPages(instance).map(({ path, title }) => html`<a href="${path}">${title}</a>`)}<a href="/docs">API</a><button class="theme" type="button" hidden>Dark</button></footer>`

/** The accent of the instance in place of the service's. */
const ownAccent = ({ color }: Instance) => {
  if (color === null) return null
  const { light, dark } = accentsOf(color)
  return raw(`:root[data-service]{--accent:light-dark(${light},${dark})}`)
}

/** The whole document: a page with the header and footer of all pages. */
export const renderPage = ({ title, head, main }: Page, surroundings: Surroundings, nonce: string) =>
  onlyText(
    String(html`<!doctype html>
<html lang="en" data-service="publishing"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${surroundings.instance.name}</title>
${iconLinks('/')}
<link rel="manifest" href="/manifest.webmanifest">
<link rel="search" type="application/opensearchdescription+xml" title="${surroundings.instance.name}" href="/opensearch.xml">
${head}
<style nonce="${nonce}">${raw(style())}${ownAccent(surroundings.instance)}</style>
<script nonce="${nonce}">${raw(script())}</script></head>
<body><a class="skip" href="#content">Skip to content</a>
${banner(surroundings)}
<main id="content" tabindex="-1">
${main}
</main>
${footer(surroundings.instance)}</body></html>
`),
  )
