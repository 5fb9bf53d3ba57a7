import { html } from '#platform/web/html.ts'
import { xmlDocument } from '../feeds/text.ts'

/** How browsers and feed readers search here (OpenSearch 1.1). */
export const openSearchDescription = (base: string, name: string) =>
  xmlDocument(html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${[...name].slice(0, 16).join('')}</ShortName>
<Description>Search posts, people and tags on ${name}</Description>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
<Url type="text/html" method="get" template="${base}/search?q={searchTerms}"/>
<Url type="application/rss+xml" method="get" template="${base}/api/search/feed.rss?q={searchTerms}&amp;page={startPage?}"/>
<Url type="application/atom+xml" method="get" template="${base}/api/search/feed.atom?q={searchTerms}&amp;page={startPage?}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${base}/opensearch.xml"/>
</OpenSearchDescription>
`)
