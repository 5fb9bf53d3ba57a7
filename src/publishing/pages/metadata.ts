import { type Html, html } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { logoUrl } from '../instance/instance.ts'

type About = {
  path: string
  title: string
  description: string
  type?: 'website' | 'profile' | 'article'
  /** A picture that is really there, and what it shows. */
  image?: string | null
  imageAlt?: string
  /** The path of its feeds without their extension, and their query. */
  feed?: string
  feedQuery?: string
  embeddable?: boolean
  /** More OpenGraph properties, such as `article:tag`. */
  properties?: readonly (readonly [string, string | null])[]
}

const feedTypes = {
  'application/rss+xml': 'rss',
  'application/atom+xml': 'atom',
  'application/feed+json': 'json',
}

const feedLinks = (base: string, { title, feed, feedQuery = '' }: About) =>
  feed !== undefined &&
  Object.entries(feedTypes).map(
    ([type, extension]) =>
      html`<link rel="alternate" type="${type}" title="${title} (${extension.toUpperCase()})" href="${base}${feed}.${extension}${feedQuery}">\n`,
  )

const embedLinks = (base: string, url: string, { title, embeddable }: About) =>
  embeddable &&
  ['application/json', 'text/xml'].map(
    (type) =>
      html`<link rel="alternate" type="${type}+oembed" title="${title}" href="${base}/oembed?url=${encodeURIComponent(url)}&amp;format=${type.split('/')[1]}">\n`,
  )

const property = (name: string, content: string | null) =>
  content !== null && html`<meta property="${name}" content="${content}">\n`

/** Metadata of a page: its canonical address, its preview, its feeds. */
export const about = (ctx: Publishing, page: About): Html => {
  const base = ctx.config.urls.publishing
  const { name, language } = ctx.instance.current
  const url = base + page.path
  const image = page.image ?? logoUrl(ctx)
  return html`<link rel="canonical" href="${url}">
<meta name="description" content="${page.description}">
${property('og:site_name', name)}${property(
  'og:locale',
  new Intl.Locale(language)
    .maximize()
    .toString()
    .replace(/^(\w+)-\w+-(\w+).*/, '$1_$2'),
)}${property('og:type', page.type ?? 'website')}${property('og:url', url)}${property('og:title', page.title)}${property('og:description', page.description)}${property('og:image', image)}${property('og:image:alt', image && (page.imageAlt ?? null))}${page.properties?.map(([name, content]) => property(name, content))}<meta name="twitter:card" content="summary">
${feedLinks(base, page)}${embedLinks(base, url, page)}`
}
