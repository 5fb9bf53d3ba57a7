import type { accents } from '#platform/web/accents.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { iconLinks } from '#platform/web/head.ts'
import { type Html, html, raw } from '#platform/web/html.ts'
import { mark } from '#platform/web/mark.ts'
import { contentSecurityPolicy } from '#platform/web/policy.ts'
import { examplePanel } from './code.ts'
import { baseUrl } from './curl.ts'
import { eventTypes } from './event-types.ts'
import { mediaExample } from './example.ts'
import { markdown } from './markdown.ts'
import { type Group, groupsOf, navigation } from './navigation.ts'
import { type Media, type OpenApiDocument, schemaAnchor } from './openapi.ts'
import { entriesOf, operationSection } from './operation.ts'
import { sharedErrorBody } from './responses.ts'
import { authentication } from './security.ts'
import { schemaTree } from './tree.ts'
import { trials } from './try/try.ts'

const style = lazyAsset(new URL('./style/reference.css', import.meta.url))
const script = lazyAsset(new URL('./reference.browser.ts', import.meta.url))

type ServiceName = keyof typeof accents
type GuideLink = { name: string; title: string }
type Section = { id: string; title: string; body: Html }

const servers = (document: OpenApiDocument) =>
  html`<ul class="bases">${(document.servers ?? []).map(
    ({ url, description }) =>
      html`<li class="call" data-copy="Copy base URL"><code>${url}</code>${description && html`<span>${description}</span>`}</li>`,
  )}</ul>`

const errors = (document: OpenApiDocument, shared: Media) =>
  html`<div class="prose"><p>The status code says whether a call succeeded. Unless an operation says otherwise, errors have this body.</p></div>${schemaTree(
    document,
    shared.schema ?? {},
    1,
  )}${examplePanel('Error', mediaExample(document, shared, 'response'))}`

/** What holds for every operation; sections for which the document has no content are left out. */
const generalSections = (document: OpenApiDocument, shared: Media | null): Section[] => {
  const schemes = authentication(document)
  return [
    ...(baseUrl(document) ? [{ id: 'base-url', title: 'Base URL', body: servers(document) }] : []),
    ...(schemes ? [{ id: 'authentication', title: 'Authentication', body: schemes }] : []),
    ...(shared ? [{ id: 'errors', title: 'Errors', body: errors(document, shared) }] : []),
  ]
}

const chapterOf = ({ id, title }: { id: string; title: string }) => ({ href: `#${id}`, title })
const guideUrl = (name: string) => `docs/guides/${name}`

const guideList = (guides: readonly GuideLink[]) =>
  guides.length > 0 &&
  html`<div class="prose"><p>Guides, with examples that can be run as they are:</p><ul>${guides.map(
    ({ name, title }) => html`<li><a href="${guideUrl(name)}">${title}</a></li>`,
  )}</ul></div>`

const introduction = ({ info }: OpenApiDocument, sections: Section[], guides: readonly GuideLink[]) =>
  html`<div class="intro around"><section id="introduction"><h1>${info.title}<small>${info.version}</small></h1>${markdown(
    info.description,
  )}<p class="access">The same as a document for tools: <a href="openapi.json">openapi.json</a></p>${guideList(guides)}</section>${sections.map(
    ({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>${body}</section>`,
  )}</div>`

const part = (group: Group, shared: Media | null) =>
  html`<section class="part" id="${group.id}"><h2>${group.name}</h2>${markdown(group.description)}<div>${group.entries.map(
    (entry) => operationSection(entry, shared),
  )}</div></section>`

const schemas = (document: OpenApiDocument) => {
  const named = Object.entries(document.components?.schemas ?? {})
  return (
    named.length > 0 &&
    html`<section class="schemas around" id="schemas"><h2>Schemas</h2>${named.map(
      ([name, schema]) =>
        html`<article class="schema" id="${schemaAnchor(name)}"><h3><a class="self" href="#${schemaAnchor(name)}">${name}</a></h3>${schemaTree(
          document,
          schema,
          0,
        )}</article>\n`,
    )}</section>`
  )
}

const sidebar = (service: ServiceName, contents: Html) =>
  html`<div class="side"><div class="brand"><a href="#introduction">${mark}<span>Trivet <span>${service}</span></span></a><button class="theme" type="button" hidden>Dark</button></div>
<div class="filter" role="search" hidden><input type="search" aria-label="Filter operations" placeholder="Filter (press /)" autocomplete="off"><output></output></div>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<nav aria-label="Contents">${contents}</nav></div>`

/** The API reference as one self-contained page. It depends on nothing but its input, so callers should keep it. */
export const renderReference = (
  document: OpenApiDocument,
  { service, guides = [] }: { service: ServiceName; guides?: readonly GuideLink[] },
): string => {
  const shared = sharedErrorBody(document)
  const entries = entriesOf(document)
  const groups = groupsOf(document, entries)
  const general = generalSections(document, shared)
  const events = eventTypes(document)
  const named = schemas(document)
  const contents = navigation(
    [{ id: 'introduction', title: 'Introduction' }, ...general].map(chapterOf),
    groups,
    [
      ...(events ? [chapterOf({ id: 'event-types', title: 'Event types' })] : []),
      ...(named ? [chapterOf({ id: 'schemas', title: 'Schemas' })] : []),
      ...guides.map(({ name, title }) => ({ href: guideUrl(name), title })),
    ],
  )
  return String(html`<!doctype html>
<html lang="en" data-service="${service}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} · API reference</title>
${iconLinks('')}
<style>${raw(style())}</style>
<script>${raw(script())}</script></head>
<body><a class="skip" href="#content">Skip to content</a>
${sidebar(service, contents)}
<main id="content">${introduction(document, general, guides)}
<p class="empty" hidden>No operation matches. Try part of a path, a method or a word of a title.</p>
${groups.map((group) => part(group, shared))}
${events}
${named}</main>
${trials(entries)}</body></html>
`)
}

/** The page calls nothing but the service that it describes. */
export const referenceCsp = () =>
  contentSecurityPolicy({ style: style(), script: script() }, ["connect-src 'self'"])
