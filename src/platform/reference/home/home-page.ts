import { lazyAsset } from '#platform/web/assets.ts'
import { framedPage, framePolicy } from '#platform/web/frame.ts'
import { html } from '#platform/web/html.ts'
import type { ServiceName } from '#platform/web/mark.ts'
import { codePanel } from '../code.ts'

/** What a service without public pages says about itself. */
export type Home = {
  /** What the service is, in one sentence. */
  sentence: string
  /** Other paths that lead browsers to the page. */
  aliases?: string[]
  /** The first calls that somebody would try in a shell, in this order. */
  firstCalls(base: string): { title: string; command: string }[]
}

type Link = { name: string; title: string }

type Place = { service: ServiceName; title: string; base: string; guides: Link[]; hasConsole: boolean }

const assets = {
  style: lazyAsset(new URL('./home.css', import.meta.url)),
  script: lazyAsset(new URL('./home.browser.ts', import.meta.url)),
}

/** What this is, where to read on, and what to try first. */
export const renderHome = (
  { sentence, firstCalls }: Home,
  { service, title, base, guides, hasConsole }: Place,
) => {
  const own = guides.filter(({ name }) => name.startsWith(`${service}-`) || name === 'operating')
  const main = html`<h1>${title}</h1>
<p class="lead">${sentence}</p>
<p class="choice">${hasConsole && html`<a class="button primary" href="console">Console</a>`}<a class="button${!hasConsole && ' primary'}" href="docs">API reference</a><a class="button" href="docs/guides">Guides</a><a class="button" href="openapi.json">OpenAPI</a></p>
<section><h2>First calls</h2>
<p class="quiet">In a shell with <code>curl</code> and <code>jq</code>, one after the other.</p>
<ol class="calls">${firstCalls(base).map(
    ({ title, command }) => html`<li><h3>${title}</h3>${codePanel('Shell', command)}</li>`,
  )}</ol></section>
${
  own.length > 0 &&
  html`<section><h2>Read on</h2><ul class="guides">${own.map(
    ({ name, title }) => html`<li><a href="docs/guides/${name}">${title}</a></li>`,
  )}</ul></section>`
}
<section><h2>Health</h2>
<p class="health"><output></output><a href="readyz">Readiness</a><a href="healthz">Liveness</a><a href="metrics">Metrics</a></p></section>`
  return framedPage({ service, title, root: '', main, isListed: true }, assets)
}

/** The page asks for nothing but the health of its own service. */
export const homePolicy = () => framePolicy(assets, ["connect-src 'self'"])
