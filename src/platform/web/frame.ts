import { lazyAsset } from './assets.ts'
import { iconLinks } from './head.ts'
import { type Html, html, raw } from './html.ts'
import { mark, type ServiceName } from './mark.ts'
import { contentSecurityPolicy } from './policy.ts'

export type Frame = {
  service: ServiceName
  title: string
  /** How the page spells the root of its service. */
  root: string
  main: Html
  /** Whether search engines may list it. */
  isListed?: boolean
}

type Assets = { style: () => string; script: () => string }

/** Style and script of a page that needs nothing special. */
const frameAssets: Assets = {
  style: lazyAsset(new URL('./frame.css', import.meta.url)),
  script: lazyAsset(new URL('./frame.browser.ts', import.meta.url)),
}

/** A page of one column under the mark of its service: for all that is neither reference nor publishing. */
export const framedPage = (
  { service, title, root, main, isListed = false }: Frame,
  { style, script }: Assets = frameAssets,
) =>
  String(html`<!doctype html>
<html lang="en" data-service="${service}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${!isListed && html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${iconLinks(root)}
<style>${raw(style())}</style>
<script>${raw(script())}</script></head>
<body><a class="skip" href="#content">Skip to content</a>
<header class="brand"><a href="${root || './'}">${mark}<span>Trivet <span>${service}</span></span></a><button class="theme" type="button" hidden>Dark</button></header>
<main id="content" tabindex="-1">${main}</main></body></html>
`)

/** What such a page may load and call. */
export const framePolicy = ({ style, script }: Assets = frameAssets, more: string[] = []) =>
  contentSecurityPolicy({ style: style(), script: script() }, more)
