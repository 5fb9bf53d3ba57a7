import { framedPage } from '#platform/web/frame.ts'
import { html } from '#platform/web/html.ts'
import type { ServiceName } from '#platform/web/mark.ts'
import type { Guide } from './guides.ts'

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
