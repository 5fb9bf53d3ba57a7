import { lazyAsset } from '#platform/web/assets.ts'
import { framedPage } from '#platform/web/frame.ts'
import { iconLinks } from '#platform/web/head.ts'
import { html, raw } from '#platform/web/html.ts'
import { mark, type ServiceName } from '#platform/web/mark.ts'
import { contentSecurityPolicy } from '#platform/web/policy.ts'
import type { Guide } from './guides.ts'
import { guideHtml } from './markdown.ts'

const style = lazyAsset(new URL('./guide.css', import.meta.url))
const script = lazyAsset(new URL('./guide.browser.ts', import.meta.url))

const contents = (guides: Guide[], current: Guide) =>
  html`<ul class="contents"><li><a class="chapter" href="../../docs">API reference</a></li>${guides.map(
    ({ name, title }) =>
      html`<li><a class="chapter" href="${name}"${name === current.name && raw(' aria-current="page"')}>${title}</a></li>`,
  )}</ul>`

/** A guide with links to all of them, in the look of the reference. */
export const renderGuide = (guide: Guide, { service, guides }: { service: ServiceName; guides: Guide[] }) => {
  const list = contents(guides, guide)
  return String(html`<!doctype html>
<html lang="en" data-service="${service}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} · Trivet</title>
${iconLinks('../../')}
<style>${raw(style())}</style>
<script>${raw(script())}</script></head>
<body><a class="skip" href="#content">Skip to content</a>
<div class="side"><div class="brand"><a href="../../docs">${mark}<span>Trivet <span>${service}</span></span></a><button class="theme" type="button" hidden>Dark</button></div>
<details class="menu"><summary>Guides</summary><nav aria-label="Guides">${list}</nav></details>
<nav aria-label="Guides">${list}</nav></div>
<main id="content"><article class="guide">${guideHtml(guide.text)}</article></main></body></html>
`)
}

export const guideCsp = () => contentSecurityPolicy({ style: style(), script: script() })

/** What a guide is about, by its headings. */
const chaptersOf = ({ text }: Guide) =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.replaceAll('`', ''),
  )

/** A list of all guides. */
export const renderGuideIndex = ({ service, guides }: { service: ServiceName; guides: Guide[] }) => {
  const main = html`<h1>Guides</h1>
<p class="quiet">With examples that can be run as they are. Every operation is in the <a href="../docs">API reference</a>.</p>
<ul class="index">${guides.map(
    (guide) =>
      html`<li><h2><a href="guides/${guide.name}">${guide.title}</a></h2><p>${chaptersOf(guide).join('\u00a0· ')}</p></li>`,
  )}</ul>`
  return framedPage({ service, title: `Guides · Trivet ${service}`, root: '../', main, isListed: true })
}
