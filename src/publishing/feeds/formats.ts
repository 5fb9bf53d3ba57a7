import { type Html, html } from '#platform/web/html.ts'
import type { Feed } from './feed.ts'
import { plainXml, xmlDocument } from './text.ts'

const minutesBetweenVisits = 15

/** Where to go on from here: to older posts (RFC 5005), and to whoever tells of newer ones (WebSub). */
const links = ({ next, hub }: Feed, link: (rel: string, href: string) => Html) =>
  html`${next !== null && link('next', next)}${hub !== null && link('hub', hub)}`

const rss = (feed: Feed) => {
  const { title, description, home, self, icon, language, updated, items } = feed
  return xmlDocument(html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${plainXml(title)}</title>
<link>${home}</link>
<description>${plainXml(description)}</description>
<language>${language}</language>
<ttl>${minutesBetweenVisits}</ttl>
<lastBuildDate>${updated.toUTCString()}</lastBuildDate>
<generator>Trivet</generator>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
${links(feed, (rel, href) => html`<atom:link href="${href}" rel="${rel}"/>\n`)}${icon && html`<image><url>${icon}</url><title>${plainXml(title)}</title><link>${home}</link></image>\n`}${items.map(
  (item) => html`<item>
<title>${plainXml(item.title)}</title>
<link>${item.url}</link>
<guid isPermaLink="true">${item.url}</guid>
<pubDate>${item.published.toUTCString()}</pubDate>
${item.edited && html`<atom:updated>${item.edited.toISOString()}</atom:updated>\n`}<dc:creator>${plainXml(item.author.name)}</dc:creator>
${item.language !== language && html`<dc:language>${item.language}</dc:language>\n`}${item.tags.map((tag) => html`<category>${tag}</category>\n`)}<description>${item.html}</description>
</item>
`,
)}</channel>
</rss>
`)
}

const person = ({ name, url }: { name: string; url: string }) =>
  html`<author><name>${name}</name><uri>${url}</uri></author>\n`

const atom = (feed: Feed) => {
  const { title, description, home, self, icon, language, author, updated, items } = feed
  return xmlDocument(html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${home}</id>
<title>${title}</title>
<subtitle>${description}</subtitle>
<updated>${updated.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${links(feed, (rel, href) => html`<link rel="${rel}" href="${href}"/>\n`)}${author && person(author)}${icon && html`<icon>${icon}</icon>\n`}<generator>Trivet</generator>
${items.map(
  (item) => html`<entry${item.language !== language && html` xml:lang="${item.language}"`}>
<id>${item.url}</id>
<title>${item.title}</title>
<link rel="alternate" type="text/html" href="${item.url}"/>
<published>${item.published.toISOString()}</published>
<updated>${(item.edited ?? item.published).toISOString()}</updated>
${person(item.author)}${item.tags.map((tag) => html`<category term="${tag}"/>\n`)}<content type="html">${item.html}</content>
</entry>
`,
)}</feed>
`)
}

const json = ({ title, description, home, self, next, hub, icon, language, author, items }: Feed) =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    ...(next === null ? {} : { next_url: next }),
    description,
    language,
    ...(icon ? { icon } : {}),
    ...(author ? { authors: [author] } : {}),
    ...(hub === null ? {} : { hubs: [{ type: 'WebSub', url: hub }] }),
    items: items.map((item) => ({
      id: item.url,
      url: item.url,
      title: item.title,
      content_html: item.html,
      ...(item.language === language ? {} : { language: item.language }),
      date_published: item.published.toISOString(),
      ...(item.edited ? { date_modified: item.edited.toISOString() } : {}),
      authors: [
        {
          name: item.author.name,
          url: item.author.url,
          ...(item.author.avatar ? { avatar: item.author.avatar } : {}),
        },
      ],
      ...(item.tags.length > 0 ? { tags: item.tags } : {}),
    })),
  })

export const formats = {
  rss: { type: 'application/rss+xml', name: 'RSS 2.0', write: rss },
  atom: { type: 'application/atom+xml', name: 'Atom 1.0', write: atom },
  json: { type: 'application/feed+json', name: 'JSON Feed 1.1', write: json },
} as const

export type Format = keyof typeof formats
