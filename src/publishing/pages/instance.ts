import { notFound } from '#platform/errors.ts'
import { inert } from '#platform/http/response/headers.ts'
import { markdown } from '#platform/reference/markdown.ts'
import { Type } from '#platform/type/type.ts'
import { html } from '#platform/web/html.ts'
import type { App } from '../access.ts'
import type { Publishing } from '../context.ts'
import { everyLegalPage, type LegalPage, legalPages, logoPath } from '../instance/instance.ts'
import { about } from './metadata.ts'
import type { Page } from './page.ts'
import { sendPage } from './reply.ts'

const forAll = { access: 'page' } as const
const LogoPath = Type.Object({ file: Type.String({ pattern: '^[A-Za-z0-9_-]{12}\\.png$' }) })
const aYear = 365 * 24 * 3600

const contactLink = (address: string) =>
  html`<p>Contact: <a href="${address}" rel="me">${address.replace(/^mailto:/, '')}</a></p>`

const aboutPage = (ctx: Publishing): Page => {
  const { current } = ctx.instance
  const { name, description, contact } = current
  const title = `About ${name}`
  const text = description || 'Short messages that everybody can read.'
  return {
    title,
    head: about(ctx, { path: '/about', title, description: text }),
    main: html`<h1><bdi>${title}</bdi></h1>
<p class="lead">${text}</p>
${contact && contactLink(contact)}
<ul class="links">${legalPages(current).map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}<li><a href="/feed.rss">RSS feed of all posts</a></li><li><a href="/docs">API reference</a></li></ul>`,
  }
}

const legalPage = (ctx: Publishing, { setting, path, title }: LegalPage): Page => {
  const { current } = ctx.instance
  const text = current[setting] || notFound('Page not found')
  return {
    title,
    head: about(ctx, { path, title, description: `${title} of ${current.name}` }),
    main: html`<h1>${title}</h1>${markdown(text)}`,
  }
}

/** What the operator says about the instance. */
export const instancePages = (app: App, ctx: Publishing) => {
  app.get('/about', { schema: { hide: true }, config: forAll }, (req, reply) =>
    sendPage(req, reply, aboutPage(ctx)),
  )
  for (const page of everyLegalPage)
    app.get(page.path, { schema: { hide: true }, config: forAll }, (req, reply) =>
      sendPage(req, reply, legalPage(ctx, page)),
    )
  app.get('/logo/:file', { schema: { hide: true, params: LogoPath }, config: forAll }, (req, reply) => {
    const { logo } = ctx.instance.current
    if (!logo || logoPath(logo) !== `/logo/${req.params.file}`) return notFound('Picture not found')
    return reply
      .headers({
        ...inert,
        'content-type': 'image/png',
        'cache-control': `public, max-age=${aYear}, immutable`,
      })
      .send(logo)
  })
}
